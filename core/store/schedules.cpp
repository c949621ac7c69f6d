#include "store/schedules.h"

#include "schedule/text.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>

namespace sparsight {

Result<ScheduleId> record_schedule(Workspace& workspace, const SuperSchedule& schedule) {
    Database& database = workspace.database();
    const std::string text = to_text(schedule);
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known =
        database.first([](Statement& row) { return row.id<ScheduleId>(0); },
                       "SELECT id FROM schedules WHERE operator = ? AND text = ?", name(schedule.op), text);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return **known;
    if (auto done = database.run("INSERT INTO schedules (operator, text, canonical, threads, is_fixed_csr) "
                                 "VALUES (?, ?, ?, ?, ?)",
                                 name(schedule.op), text, to_text(canonical(schedule)), schedule.threads,
                                 is_fixed_csr(schedule));
        !done)
        return std::unexpected(std::move(done).error());
    const auto id = static_cast<ScheduleId>(database.last_inserted_id());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<SuperSchedule> read_stored_schedule(const Workspace& workspace, std::string_view op,
                                           std::string_view text) {
    const auto parsed_op = parse_operator(op);
    auto schedule = parsed_op ? parse_schedule(*parsed_op, text) : fail(Fault::Input, "no such operator");
    if (!schedule)
        return fail_in_file(
            Fault::Input, workspace.path().string(), 0,
            fmt::format("the schedule \"{}\" of {} can't be read: {}", text, op, schedule.error().message));
    return schedule;
}

Result<std::int64_t> count_schedules(Workspace& workspace) {
    const auto count = workspace.database().first([](Statement& row) { return row.integer(0); },
                                                  "SELECT count(*) FROM schedules");
    if (!count)
        return std::unexpected(count.error());
    return count->value_or(0);
}

} // namespace sparsight
