#include "domains/sparse/storage/measurements.h"

#include "domains/sparse/schedule/text.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <limits>
#include <unordered_set>

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

std::int64_t stored_dense(Operator op, std::int64_t dense) {
    return dense_index(op) ? dense : 1;
}

namespace {

/// A predicted size may pass what SQLite's signed integers hold.
std::int64_t stored_bytes(std::uint64_t bytes) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(bytes, most));
}

Measurement read_measurement(Statement& row) {
    Measurement measurement;
    measurement.status = parse_measurement_status(row.text(0)).value_or(MeasurementStatus::Failed);
    measurement.median = Milliseconds(row.optional_real(1).value_or(0));
    measurement.spread = Milliseconds(row.optional_real(2).value_or(0));
    measurement.repeats = static_cast<int>(row.integer(3));
    measurement.pack = Milliseconds(row.real(4));
    measurement.compile = Milliseconds(row.real(5));
    measurement.bytes = static_cast<std::uint64_t>(row.integer(6));
    measurement.reason = row.text(7);
    return measurement;
}

} // namespace

Result<void> record_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                const SuperSchedule& schedule, const Measurement& measurement,
                                std::optional<RunId> run) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto schedule_id = record_schedule(workspace, schedule);
    if (!schedule_id)
        return std::unexpected(schedule_id.error());
    std::optional<double> median;
    std::optional<double> spread;
    if (has_time(measurement.status)) {
        median = measurement.median.count();
        spread = measurement.spread.count();
    }
    if (auto done = database.run(
            "INSERT INTO measurements (matrix_id, machine_id, schedule_id, dense, protocol, status, "
            "median_ms, "
            "    spread_ms, repeats, pack_ms, compile_ms, bytes, reason, run_id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (matrix_id, machine_id, dense, protocol, schedule_id) DO UPDATE SET "
            "    status = excluded.status, median_ms = excluded.median_ms, spread_ms = excluded.spread_ms, "
            "    repeats = excluded.repeats, pack_ms = excluded.pack_ms, compile_ms = excluded.compile_ms, "
            "    bytes = excluded.bytes, reason = excluded.reason, run_id = excluded.run_id, "
            "    measured = excluded.measured",
            setting.matrix, setting.machine, *schedule_id, stored_dense(schedule.op, setting.dense),
            setting.protocol, name(measurement.status), median, spread, measurement.repeats,
            measurement.pack.count(), measurement.compile.count(), stored_bytes(measurement.bytes),
            measurement.reason, run);
        !done)
        return done;
    return transaction->commit();
}

Result<std::optional<Measurement>> find_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                                    const SuperSchedule& schedule) {
    return workspace.database().first(
        read_measurement,
        "SELECT m.status, m.median_ms, m.spread_ms, m.repeats, m.pack_ms, m.compile_ms, m.bytes, m.reason "
        "FROM measurements m JOIN schedules s ON s.id = m.schedule_id "
        "WHERE m.matrix_id = ? AND m.machine_id = ? AND m.dense = ? AND m.protocol = ? "
        "    AND s.operator = ? AND s.text = ?",
        setting.matrix, setting.machine, stored_dense(schedule.op, setting.dense), setting.protocol,
        name(schedule.op), to_text(schedule));
}

Result<std::vector<SuperSchedule>> missing_schedules(Workspace& workspace, const MeasurementSetting& setting,
                                                     Operator op, std::span<const SuperSchedule> schedules) {
    const auto measured = workspace.database().all(
        [](Statement& row) { return row.text(0); },
        "SELECT s.canonical FROM measurements m JOIN schedules s ON s.id = m.schedule_id "
        "WHERE m.matrix_id = ? AND m.machine_id = ? AND m.dense = ? AND m.protocol = ? AND s.operator = ?",
        setting.matrix, setting.machine, stored_dense(op, setting.dense), setting.protocol, name(op));
    if (!measured)
        return std::unexpected(measured.error());
    std::unordered_set<std::string> known(measured->begin(), measured->end());
    std::vector<SuperSchedule> missing;
    for (const SuperSchedule& schedule : schedules)
        if (known.insert(to_text(canonical(schedule))).second)
            missing.push_back(schedule);
    return missing;
}

Result<std::optional<Milliseconds>> shortest_median(Workspace& workspace, const MeasurementSetting& setting,
                                                    Operator op, int threads) {
    return workspace.database().first(
        [](Statement& row) { return Milliseconds(row.real(0)); },
        "SELECT m.median_ms FROM measurements m JOIN schedules s ON s.id = m.schedule_id "
        "WHERE m.matrix_id = ? AND m.machine_id = ? AND m.dense = ? AND m.protocol = ? AND s.operator = ? "
        "    AND s.threads = ? AND m.status = 'measured' ORDER BY m.median_ms LIMIT 1",
        setting.matrix, setting.machine, stored_dense(op, setting.dense), setting.protocol, name(op),
        threads);
}

Result<std::int64_t> count_measurements(Workspace& workspace) {
    const auto count = workspace.database().first([](Statement& row) { return row.integer(0); },
                                                  "SELECT count(*) FROM measurements");
    if (!count)
        return std::unexpected(count.error());
    return count->value_or(0);
}

} // namespace sparsight
