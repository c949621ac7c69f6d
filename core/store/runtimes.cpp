#include "store/runtimes.h"

#include "schedule/text.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <unordered_map>

namespace sparsight {

namespace {

std::int64_t stored_dense(Operator op, std::int64_t dense) {
    return dense_index(op) ? dense : 1;
}

/// A schedule stands once for all matrices, so it is parsed once.
class ScheduleTexts {
public:
    explicit ScheduleTexts(Operator op)
        : op_(op) {}

    Result<SuperSchedule> parsed(std::int64_t id, const Statement& row, int text_column) {
        if (const auto known = schedules_.find(id); known != schedules_.end())
            return known->second;
        const std::string text = row.text(text_column);
        auto schedule = parse_schedule(op_, text);
        if (!schedule)
            return fail(Fault::Input,
                        fmt::format("the schedule \"{}\" can't be read: {}", text, schedule.error().message));
        schedules_.emplace(id, *schedule);
        return schedule;
    }

private:
    Operator op_;
    std::unordered_map<std::int64_t, SuperSchedule> schedules_;
};

} // namespace

Result<std::vector<StoredRuntime>> list_runtimes(Workspace& workspace, const RuntimeSource& source) {
    auto statement = workspace.database().query(
        "SELECT m.matrix_id, m.schedule_id, s.text, m.status, m.median_ms, "
        "       CASE WHEN m.repeats > 0 THEN m.spread_ms END "
        "FROM measurements m JOIN schedules s ON s.id = m.schedule_id "
        "WHERE m.machine_id = ? AND m.dense = ? AND m.protocol = ? AND s.operator = ? AND s.threads = ? "
        "ORDER BY m.matrix_id, m.id",
        source.machine, stored_dense(source.op, source.dense), source.protocol, name(source.op),
        source.threads);
    if (!statement)
        return std::unexpected(statement.error());
    ScheduleTexts schedules(source.op);
    std::vector<StoredRuntime> runtimes;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row)
            return runtimes;
        const auto schedule = schedules.parsed(statement->integer(1), *statement, 2);
        if (!schedule)
            return fail_in_file(schedule.error().fault, workspace.path().string(), 0,
                                schedule.error().message);
        runtimes.push_back({statement->id<MatrixId>(0), *schedule,
                            parse_measurement_status(statement->text(3)).value_or(MeasurementStatus::Failed),
                            statement->optional_real(4), statement->optional_real(5)});
    }
}

Result<std::vector<CountedSource>> runtime_sources(Workspace& workspace, Operator op, std::int64_t dense) {
    return workspace.database().all(
        [&](Statement& row) {
            return CountedSource{
                {row.id<MachineId>(0), op, dense, row.text(1), static_cast<int>(row.integer(2))},
                row.integer(3),
                row.integer(4)};
        },
        "SELECT m.machine_id, m.protocol, s.threads, count(*), count(DISTINCT p.matrix_id) "
        "FROM measurements m JOIN schedules s ON s.id = m.schedule_id "
        "LEFT JOIN patterns p ON p.matrix_id = m.matrix_id "
        "WHERE s.operator = ? AND m.dense = ? "
        "GROUP BY m.machine_id, m.protocol, s.threads "
        "ORDER BY m.machine_id, count(*) DESC, m.protocol, s.threads DESC",
        name(op), stored_dense(op, dense));
}

Result<std::vector<CountedSetting>> runtime_settings(Workspace& workspace) {
    return workspace.database().all(
        [](Statement& row) {
            return CountedSetting{parse_operator(row.text(0)).value_or(Operator::SpMM), row.integer(1),
                                  row.integer(2)};
        },
        "SELECT s.operator, m.dense, count(*) "
        "FROM measurements m JOIN schedules s ON s.id = m.schedule_id "
        "GROUP BY s.operator, m.dense ORDER BY count(*) DESC, s.operator, m.dense");
}

} // namespace sparsight
