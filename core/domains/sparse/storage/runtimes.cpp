#include "domains/sparse/storage/runtimes.h"

#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/measurements.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <unordered_map>

namespace sparsight {

namespace {

/// A schedule is stored once for all matrices, so it is parsed once.
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
        runtimes.push_back({statement->id<WorkloadId>(0), *schedule,
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

namespace {

// Several texts may mean fixed CSR (an unsplit index's inner name is irrelevant): the fastest of them counts.
constexpr std::string_view select_results = R"sql(
WITH fixed_csr AS (
    SELECT m.matrix_id, m.machine_id, m.dense, m.protocol, s.operator, s.threads, min(m.median_ms) AS median_ms
    FROM schedules s JOIN measurements m ON m.schedule_id = s.id
    WHERE s.is_fixed_csr AND m.status = 'measured'
    GROUP BY m.matrix_id, m.machine_id, m.dense, m.protocol, s.operator, s.threads
)
SELECT matrices.name, machines.name, s.operator, m.dense, m.protocol, s.text, m.status, m.median_ms,
       CASE WHEN m.repeats > 0 AND m.status = 'measured' THEN m.spread_ms END,
       CASE WHEN m.status = 'measured' THEN b.median_ms / m.median_ms END, m.bytes, m.reason, m.measured,
       s.threads, s.is_fixed_csr
FROM measurements m
JOIN matrices ON matrices.id = m.matrix_id
JOIN machines ON machines.id = m.machine_id
JOIN schedules s ON s.id = m.schedule_id
LEFT JOIN fixed_csr b ON b.matrix_id = m.matrix_id AND b.machine_id = m.machine_id AND b.dense = m.dense
    AND b.protocol = m.protocol AND b.operator = s.operator AND b.threads = s.threads
WHERE (?1 = '' OR matrices.name = ?1)
    AND (?2 = '' OR machines.name = ?2 OR machines.fingerprint = ?2)
    AND (?3 = '' OR s.operator = ?3)
    AND (?4 IS NULL OR m.dense = ?4)
    AND (?5 = '' OR m.protocol = ?5)
    AND (?6 IS NULL OR s.threads = ?6)
ORDER BY m.id
)sql";

ResultRow read_result(Statement& row) {
    ResultRow result;
    result.matrix = row.text(0);
    result.machine = row.text(1);
    result.op = parse_operator(row.text(2)).value_or(Operator::SpMM);
    result.dense = row.integer(3);
    result.protocol = row.text(4);
    result.schedule = row.text(5);
    result.status = parse_measurement_status(row.text(6)).value_or(MeasurementStatus::Failed);
    result.median_ms = row.optional_real(7);
    result.spread_ms = row.optional_real(8);
    result.speedup_over_fixed_csr = row.optional_real(9);
    result.bytes = static_cast<std::uint64_t>(row.integer(10));
    result.reason = row.text(11);
    result.measured = row.text(12);
    result.threads = static_cast<int>(row.integer(13));
    result.is_fixed_csr = row.integer(14) != 0;
    return result;
}

} // namespace

Result<std::vector<ResultRow>> list_results(Workspace& workspace, const ResultFilter& filter) {
    return workspace.database().all(
        read_result, select_results, filter.matrix, filter.machine,
        filter.op ? name(*filter.op) : std::string_view(), filter.dense, filter.protocol,
        filter.threads ? std::optional<std::int64_t>(*filter.threads) : std::nullopt);
}

Result<std::vector<std::string>> measured_protocols(Workspace& workspace) {
    return workspace.database().all([](Statement& row) { return row.text(0); },
                                    "SELECT DISTINCT protocol FROM measurements ORDER BY protocol");
}

} // namespace sparsight
