#include "store/rematches.h"

#include "store/schedules.h"
#include "store/sqlite.h"
#include "store/workspace.h"

namespace sparsight {

namespace {

/// A time whose schedule is still text.
struct RematchRow {
    RematchTime time;
    std::string op;
    std::string text;
};

RematchRow read_rematch(Statement& row) {
    RematchRow read;
    read.time.median_ms = row.real(0);
    read.time.spread_ms = row.real(1);
    read.time.turns = static_cast<int>(row.integer(2));
    read.op = row.text(3);
    read.text = row.text(4);
    return read;
}

} // namespace

Result<void> record_rematch(Workspace& workspace, RunId run, MatrixId matrix,
                            std::span<const RematchTime> times) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        Database& database = workspace.database();
        if (auto done = database.run("DELETE FROM rematches WHERE run_id = ? AND matrix_id = ?", run, matrix);
            !done)
            return done;
        for (const RematchTime& time : times) {
            const auto schedule = record_schedule(workspace, time.schedule);
            if (!schedule)
                return std::unexpected(schedule.error());
            if (auto done = database.run(
                    "INSERT INTO rematches (run_id, matrix_id, schedule_id, median_ms, spread_ms, turns) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    run, matrix, *schedule, time.median_ms, time.spread_ms,
                    static_cast<std::int64_t>(time.turns));
                !done)
                return done;
        }
        return {};
    });
}

Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run, MatrixId matrix) {
    auto rows = workspace.database().all(read_rematch,
                                         "SELECT r.median_ms, r.spread_ms, r.turns, s.operator, s.text "
                                         "FROM rematches r JOIN schedules s ON s.id = r.schedule_id "
                                         "WHERE r.run_id = ? AND r.matrix_id = ? "
                                         "ORDER BY r.turns = 0, r.median_ms, s.text",
                                         run, matrix);
    if (!rows)
        return std::unexpected(std::move(rows).error());
    std::vector<RematchTime> times;
    for (RematchRow& row : *rows) {
        auto schedule = read_stored_schedule(workspace, row.op, row.text);
        if (!schedule)
            return std::unexpected(std::move(schedule).error());
        row.time.schedule = *std::move(schedule);
        times.push_back(std::move(row.time));
    }
    return times;
}

} // namespace sparsight
