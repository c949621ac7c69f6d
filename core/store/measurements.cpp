#include "store/measurements.h"

#include "store/intact_rows.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

Result<std::int64_t> count(Workspace& workspace, std::string_view sql) {
    const auto count = workspace.database().first([](Statement& row) { return row.integer(0); }, sql);
    if (!count)
        return std::unexpected(count.error());
    return count->value_or(0);
}

/// A predicted size may pass what SQLite's signed integers hold.
std::int64_t stored_bytes(std::uint64_t bytes) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(bytes, most));
}

Measurement read_measurement(Statement& row) {
    Measurement measurement;
    if (row.integer(14) == 0) {
        measurement.status = MeasurementStatus::Damaged;
        measurement.reason = damaged_reason;
        return measurement;
    }
    measurement.status = parse_measurement_status(row.text(0)).value_or(MeasurementStatus::Failed);
    measurement.median = Milliseconds(row.optional_real(1).value_or(0));
    measurement.spread = Milliseconds(row.optional_real(2).value_or(0));
    measurement.repeats = static_cast<int>(row.integer(3));
    measurement.pack = Milliseconds(row.real(4));
    measurement.compile = Milliseconds(row.real(5));
    measurement.bytes = static_cast<std::uint64_t>(row.integer(6));
    measurement.reason = row.text(7);
    measurement.engine = row.text(8);
    const auto time = [&](int column) {
        const auto value = row.optional_real(column);
        return value ? std::optional(Milliseconds(*value)) : std::nullopt;
    };
    measurement.reference = time(9);
    measurement.scatter = time(10);
    measurement.error = time(11);
    measurement.drift = time(12);
    measurement.disturbance = row.optional_real(13);
    return measurement;
}

} // namespace

WrittenConfiguration read_configuration(const Statement& row, int first) {
    return {row.text(first),
            row.text(first + 1),
            row.text(first + 2),
            row.text(first + 3),
            static_cast<int>(row.integer(first + 4)),
            row.integer(first + 5) != 0};
}

Result<ConfigurationId> record_configuration(Workspace& workspace,
                                             const WrittenConfiguration& configuration) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known =
        database.first([](Statement& row) { return row.id<ConfigurationId>(0); },
                       "SELECT id FROM configurations WHERE domain = ? AND family = ? AND text = ?",
                       configuration.domain, configuration.family, configuration.text);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return **known;
    if (auto done =
            database.run("INSERT INTO configurations (domain, family, text, canonical, threads, is_baseline) "
                         "VALUES (?, ?, ?, ?, ?, ?)",
                         configuration.domain, configuration.family, configuration.text,
                         configuration.canonical, configuration.threads, configuration.is_baseline);
        !done)
        return std::unexpected(std::move(done).error());
    const auto id = static_cast<ConfigurationId>(database.last_inserted_id());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

namespace {

/// The columns are those of the conditions, the configuration and the measurement. Stores nothing where the
/// setting or the configuration is not known yet, and where a failure would replace a time.
constexpr std::string_view insert_measurement = R"sql(
INSERT INTO measurements AS m (workload_id, machine_id, setting_id, configuration_id, protocol, condition, status,
    median_ms, spread_ms, repeats, pack_ms, compile_ms, bytes, reason, measured, engine, reference_ms,
    scatter_ms, error_ms, drift_ms, disturbance, run_id, checksum)
SELECT ?1, ?2, s.id, c.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
    row_checksum(?1, ?2, s.id, c.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                 ?14, ?15, ?16, ?17, ?18, ?19)
FROM study_settings s, configurations c
WHERE s.domain = ?21 AND s.text = ?22 AND c.domain = ?23 AND c.family = ?24 AND c.text = ?25
ON CONFLICT (workload_id, machine_id, setting_id, protocol, condition, configuration_id) DO UPDATE SET
    status = excluded.status, median_ms = excluded.median_ms, spread_ms = excluded.spread_ms,
    repeats = excluded.repeats, pack_ms = excluded.pack_ms, compile_ms = excluded.compile_ms,
    bytes = excluded.bytes, reason = excluded.reason, measured = excluded.measured, engine = excluded.engine,
    reference_ms = excluded.reference_ms, scatter_ms = excluded.scatter_ms, error_ms = excluded.error_ms,
    drift_ms = excluded.drift_ms, disturbance = excluded.disturbance, run_id = excluded.run_id,
    checksum = excluded.checksum
WHERE excluded.status = 'measured' OR m.status <> 'measured' OR m.engine IS NOT excluded.engine
    OR NOT {}
)sql";

} // namespace

std::string measuring_date() { // as SQLite's strftime('%Y-%m-%dT%H:%M:%fZ') has it
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto day = std::chrono::floor<std::chrono::days>(now);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(now - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count(),
                       time.subseconds().count());
}

namespace {

std::optional<double> number(const std::optional<Milliseconds>& time) {
    return time ? std::optional(time->count()) : std::nullopt;
}

/// False where insert_measurement stores nothing.
Result<bool> insert(Database& database, const MeasurementConditions& conditions,
                    const WrittenConfiguration& configuration, const Measurement& measurement,
                    std::optional<RunId> run, const std::string& measured) {
    static const std::string sql = checked(insert_measurement);
    std::optional<double> median;
    std::optional<double> spread;
    if (has_time(measurement.status)) {
        median = measurement.median.count();
        spread = measurement.spread.count();
    }
    const std::optional<std::string> engine =
        measurement.engine.empty() ? std::nullopt : std::optional(measurement.engine);
    if (auto done = database.run(
            sql, conditions.workload, conditions.machine, conditions.protocol, conditions.condition,
            name(measurement.status), median, spread, measurement.repeats, measurement.pack.count(),
            measurement.compile.count(), stored_bytes(measurement.bytes), measurement.reason, measured,
            engine, number(measurement.reference), number(measurement.scatter), number(measurement.error),
            number(measurement.drift), measurement.disturbance, run, conditions.setting.domain,
            conditions.setting.text, configuration.domain, configuration.family, configuration.text);
        !done)
        return std::unexpected(std::move(done).error());
    return database.has_changed_rows();
}

/// The time that the measurement did not replace stands.
Result<void> note_failed_repeat(Database& database, const MeasurementConditions& conditions,
                                const WrittenConfiguration& configuration, const Measurement& attempt,
                                const std::string& date) {
    return database.run(
        "INSERT OR IGNORE INTO failed_repeats (measurement_id, attempted, status, median_ms) "
        "SELECT m.id, ?, ?, ? FROM measurements m JOIN configurations c ON c.id = m.configuration_id "
        "JOIN study_settings s ON s.id = m.setting_id "
        "WHERE m.workload_id = ? AND m.machine_id = ? AND m.protocol = ? AND m.condition = ? "
        "    AND s.domain = ? AND s.text = ? AND c.domain = ? AND c.family = ? AND c.text = ?",
        date, name(attempt.status),
        has_time(attempt.status) ? std::optional(attempt.median.count()) : std::nullopt, conditions.workload,
        conditions.machine, conditions.protocol, conditions.condition, conditions.setting.domain,
        conditions.setting.text, configuration.domain, configuration.family, configuration.text);
}

} // namespace

Result<bool> offer_measurement(Workspace& workspace, const MeasurementConditions& conditions,
                               const WrittenConfiguration& configuration, const Measurement& measurement,
                               std::optional<RunId> run, const std::optional<std::string>& measured) {
    Database& database = workspace.database();
    const std::string date = measured ? *measured : measuring_date();
    const auto inserted = insert(database, conditions, configuration, measurement, run, date);
    if (!inserted || *inserted)
        return inserted;
    bool is_stored = false;
    const auto offered = in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto recorded = record_configuration(workspace, configuration); !recorded)
            return std::unexpected(std::move(recorded).error());
        if (auto done = database.run("INSERT OR IGNORE INTO study_settings (domain, text) VALUES (?, ?)",
                                     conditions.setting.domain, conditions.setting.text);
            !done)
            return done;
        const auto again = insert(database, conditions, configuration, measurement, run, date);
        if (!again)
            return std::unexpected(again.error());
        is_stored = *again;
        return is_stored ? Result<void>()
                         : note_failed_repeat(database, conditions, configuration, measurement, date);
    });
    return offered ? Result<bool>(is_stored) : std::unexpected(offered.error());
}

Result<void> record_measurement(Workspace& workspace, const MeasurementConditions& conditions,
                                const WrittenConfiguration& configuration, const Measurement& measurement,
                                std::optional<RunId> run, const std::optional<std::string>& measured) {
    const auto offered = offer_measurement(workspace, conditions, configuration, measurement, run, measured);
    return offered ? Result<void>() : std::unexpected(offered.error());
}

Result<std::optional<Measurement>> find_measurement(Workspace& workspace,
                                                    const MeasurementConditions& conditions,
                                                    const WrittenConfiguration& configuration) {
    static const std::string sql = checked(
        "SELECT m.status, m.median_ms, m.spread_ms, m.repeats, m.pack_ms, m.compile_ms, m.bytes, m.reason, "
        "    coalesce(m.engine, ''), m.reference_ms, m.scatter_ms, m.error_ms, m.drift_ms, m.disturbance, {} "
        "FROM measurements m JOIN configurations c ON c.id = m.configuration_id "
        "JOIN study_settings s ON s.id = m.setting_id "
        "WHERE m.workload_id = ? AND m.machine_id = ? AND m.protocol = ? AND m.condition = ? "
        "    AND s.domain = ? AND s.text = ? AND c.domain = ? AND c.family = ? AND c.text = ?");
    return workspace.database().first(read_measurement, sql, conditions.workload, conditions.machine,
                                      conditions.protocol, conditions.condition, conditions.setting.domain,
                                      conditions.setting.text, configuration.domain, configuration.family,
                                      configuration.text);
}

Result<std::vector<std::string>> measured_canonical_texts(Workspace& workspace,
                                                          const MeasurementConditions& conditions,
                                                          const MeasurementAge& age) {
    static const std::string sql =
        checked("SELECT c.canonical "
                "FROM measurements m JOIN configurations c ON c.id = m.configuration_id "
                "WHERE m.workload_id = ?1 AND m.machine_id = ?2 AND m.protocol = ?3 AND m.condition = ?4 "
                "    AND m.setting_id = (SELECT id FROM study_settings WHERE domain = ?5 AND text = ?6) "
                "    AND (?7 IS NULL OR coalesce(m.engine, '') = ?7) "
                "    AND (?8 IS NULL OR m.measured > ?8 OR EXISTS (SELECT 1 FROM failed_repeats f "
                "        WHERE f.measurement_id = m.id AND f.attempted > ?8)) AND {}");
    return workspace.database().all([](Statement& row) { return row.text(0); }, sql, conditions.workload,
                                    conditions.machine, conditions.protocol, conditions.condition,
                                    conditions.setting.domain, conditions.setting.text, age.engine,
                                    age.since);
}

Result<std::vector<std::string>> recorded_canonical_texts(Workspace& workspace, const Setting& setting,
                                                          WorkloadId workload) {
    return workspace.database().all([](Statement& row) { return row.text(0); },
                                    "SELECT c.canonical FROM configurations c WHERE c.id IN (SELECT "
                                    "m.configuration_id FROM measurements m "
                                    "    WHERE m.workload_id = ? AND m.setting_id = (SELECT id FROM "
                                    "study_settings WHERE domain = ? AND text = ?)) "
                                    "GROUP BY c.canonical ORDER BY min(c.id)",
                                    workload, setting.domain, setting.text);
}

Result<std::optional<Milliseconds>> shortest_median(Workspace& workspace,
                                                    const MeasurementConditions& conditions, int threads,
                                                    const std::optional<std::string>& engine) {
    static const std::string sql =
        checked("SELECT m.median_ms "
                "FROM measurements m JOIN configurations c ON c.id = m.configuration_id "
                "WHERE m.workload_id = ?1 AND m.machine_id = ?2 AND m.protocol = ?3 AND m.condition = ?4 "
                "    AND m.setting_id = (SELECT id FROM study_settings WHERE domain = ?5 AND text = ?6) "
                "    AND c.threads = ?7 AND (?8 IS NULL OR coalesce(m.engine, '') = ?8) "
                "    AND m.status = 'measured' AND {} ORDER BY m.median_ms LIMIT 1");
    return workspace.database().first([](Statement& row) { return Milliseconds(row.real(0)); }, sql,
                                      conditions.workload, conditions.machine, conditions.protocol,
                                      conditions.condition, conditions.setting.domain,
                                      conditions.setting.text, threads, engine);
}

Result<std::int64_t> count_measurements(Workspace& workspace) {
    return count(workspace, "SELECT count(*) FROM measurements");
}

namespace {

/// The place of a configuration in a RuntimeList once a runtime of it was listed.
struct ListedConfiguration {
    WrittenConfiguration configuration;
    std::optional<std::size_t> place;
};

/// Those of a domain with a number of threads, by their ids.
Result<std::unordered_map<std::int64_t, ListedConfiguration>>
configurations_by_id(Database& database, const std::string& domain, int threads) {
    auto statement = database.query("SELECT id, domain, family, text, canonical, threads, is_baseline "
                                    "FROM configurations WHERE domain = ? AND threads = ?",
                                    domain, threads);
    if (!statement)
        return std::unexpected(statement.error());
    std::unordered_map<std::int64_t, ListedConfiguration> found;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row)
            return found;
        found.emplace(statement->integer(0), ListedConfiguration{read_configuration(*statement, 1), {}});
    }
}

} // namespace

Result<RuntimeList> list_runtimes(Workspace& workspace, const RuntimeQuery& query) {
    static const std::string sql =
        checked("SELECT m.workload_id, m.configuration_id, m.status, m.median_ms, "
                "    CASE WHEN m.repeats > 0 THEN m.spread_ms END, {} "
                "FROM measurements m "
                "WHERE m.machine_id = ?1 AND m.protocol = ?2 AND m.condition = ?3 "
                "    AND m.setting_id = (SELECT id FROM study_settings WHERE domain = ?4 AND text = ?5) "
                "    AND (?6 IS NULL OR coalesce(m.engine, '') = ?6) "
                "ORDER BY m.id");
    Database& database = workspace.database();
    auto known = configurations_by_id(database, query.setting.domain, query.threads);
    if (!known)
        return std::unexpected(std::move(known).error());
    auto statement = database.query(sql, query.machine, query.protocol, query.condition, query.setting.domain,
                                    query.setting.text, query.engine);
    if (!statement)
        return std::unexpected(statement.error());
    RuntimeList list;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row)
            break;
        const auto found = known->find(statement->integer(1));
        if (found == known->end())
            continue; // with another number of threads
        auto& [configuration, place] = found->second;
        if (!place) {
            place = list.configurations.size();
            list.configurations.push_back(std::move(configuration));
        }
        ListedRuntime runtime{statement->id<WorkloadId>(0), *place, MeasurementStatus::Damaged, {}, {}};
        if (statement->integer(5) != 0) {
            runtime.status =
                parse_measurement_status(statement->text_view(2)).value_or(MeasurementStatus::Failed);
            runtime.median_ms = statement->optional_real(3);
            runtime.spread_ms = statement->optional_real(4);
        }
        list.runtimes.push_back(runtime);
    }
    std::ranges::stable_sort(list.runtimes, {}, &ListedRuntime::workload);
    return list;
}

Result<std::vector<CountedRuntimes>> count_runtimes(Workspace& workspace, const Setting& setting) {
    auto counted = workspace.database().all(
        [&](Statement& row) {
            return CountedRuntimes{{row.id<MachineId>(0), setting, row.text(1), row.text(2),
                                    static_cast<int>(row.integer(3)), row.text(4)},
                                   row.integer(5),
                                   row.integer(6),
                                   row.integer(7)};
        },
        "SELECT m.machine_id, m.protocol, m.condition, c.threads, coalesce(m.engine, ''), count(*), "
        "    count(DISTINCT m.workload_id), "
        "    count(DISTINCT CASE WHEN w.file IS NOT NULL OR p.workload_id IS NOT NULL THEN w.id END) "
        "FROM measurements m JOIN configurations c ON c.id = m.configuration_id "
        "JOIN workloads w ON w.id = m.workload_id "
        "LEFT JOIN (SELECT DISTINCT workload_id FROM payloads) p ON p.workload_id = m.workload_id "
        "WHERE m.setting_id = (SELECT id FROM study_settings WHERE domain = ? AND text = ?) "
        "GROUP BY m.machine_id, m.protocol, m.condition, c.threads, m.engine "
        "ORDER BY m.machine_id, count(*) DESC, m.protocol, m.condition, c.threads DESC, max(m.measured) DESC",
        setting.domain, setting.text);
    if (!counted)
        return counted;
    std::vector<CountedRuntimes> usual; // of each engine but the first only the number counts
    for (CountedRuntimes& each : *counted) {
        const auto known = std::ranges::find_if(usual, [&](const CountedRuntimes& one) {
            return one.query.machine == each.query.machine && one.query.protocol == each.query.protocol &&
                   one.query.condition == each.query.condition && one.query.threads == each.query.threads;
        });
        if (known == usual.end())
            usual.push_back(std::move(each));
        else
            known->other_engines += each.measurements;
    }
    return usual;
}

Result<std::vector<CountedSettings>> count_settings(Workspace& workspace) {
    return workspace.database().all(
        [](Statement& row) { return CountedSettings{{row.text(0), row.text(1)}, row.integer(2)}; },
        "SELECT s.domain, s.text, count(*) "
        "FROM measurements m JOIN study_settings s ON s.id = m.setting_id "
        "GROUP BY s.id ORDER BY count(*) DESC, s.domain, s.text");
}

Result<std::vector<MachineWithTimes>> machines_with_times(Workspace& workspace, std::string_view domain,
                                                          std::string_view workload) {
    return workspace.database().all(
        [](Statement& row) { return MachineWithTimes{row.text(0), row.text(1), row.integer(2)}; },
        "SELECT x.fingerprint, x.name, count(*) "
        "FROM measurements m JOIN machines x ON x.id = m.machine_id "
        "WHERE m.median_ms IS NOT NULL AND m.workload_id = "
        "    (SELECT id FROM workloads WHERE domain = ? AND name = ?) "
        "GROUP BY x.id ORDER BY count(*) DESC, x.name",
        domain, workload);
}

} // namespace sparsight
