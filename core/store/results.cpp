#include "store/results.h"

#include "store/intact_rows.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

struct StoredConfiguration {
    std::string family;
    std::string text;
    int threads = 1;
    bool is_baseline = false;
};

struct StoredMachine {
    std::string name;
    std::string fingerprint;
};

/// What measurements refer to, by its ids, as far as a query admits it: looking these up here takes half of
/// the time of a join.
struct Referred {
    std::unordered_map<std::int64_t, std::string> workloads;
    std::unordered_map<std::int64_t, StoredMachine> machines;
    std::unordered_map<std::int64_t, Setting> settings;
    std::unordered_map<std::int64_t, StoredConfiguration> configurations;
};

template <typename Value, typename Read, typename... Values>
Result<void> read_by_id(Database& database, std::unordered_map<std::int64_t, Value>& into, Read read,
                        std::string_view sql, const Values&... values) {
    auto rows =
        database.all([&](Statement& row) { return std::pair(row.integer(0), read(row)); }, sql, values...);
    if (!rows)
        return std::unexpected(std::move(rows).error());
    into.reserve(rows->size());
    for (auto& [id, value] : *rows)
        into.emplace(id, std::move(value));
    return {};
}

Result<Referred> read_referred(Database& database, const ResultQuery& query) {
    Referred referred;
    const auto name = [](Statement& row) { return row.text(1); };
    for (auto&& done :
         {read_by_id(database, referred.workloads, name,
                     "SELECT id, name FROM workloads WHERE ?1 = '' OR name = ?1", query.workload),
          read_by_id(
              database, referred.machines,
              [](Statement& row) { return StoredMachine{row.text(1), row.text(2)}; },
              "SELECT id, name, fingerprint FROM machines WHERE ?1 = '' OR name = ?1 OR fingerprint = ?1",
              query.machine),
          read_by_id(
              database, referred.settings, [](Statement& row) { return Setting{row.text(1), row.text(2)}; },
              "SELECT id, domain, text FROM study_settings "
              "WHERE (?1 = '' OR domain = ?1) AND (?2 = '' OR text = ?2)",
              query.domain, query.setting),
          read_by_id(
              database, referred.configurations,
              [](Statement& row) {
                  return StoredConfiguration{row.text(1), row.text(2), static_cast<int>(row.integer(3)),
                                             row.integer(4) != 0};
              },
              "SELECT id, family, text, threads, is_baseline FROM configurations "
              "WHERE (?1 = '' OR domain = ?1) AND (?2 = '' OR family = ?2) AND (?3 IS NULL OR threads = ?3)" +
                  std::string(query.workload.empty()
                                  ? " AND ?4 = ''"
                                  : " AND id IN (SELECT configuration_id FROM measurements WHERE "
                                    "    workload_id IN (SELECT id FROM workloads WHERE name = ?4))"),
              query.domain, query.family, query.threads, query.workload)})
        if (!done)
            return std::unexpected(done.error());
    return referred;
}

/// Of the measurements that can be compared with each other.
struct ComparableKey {
    std::int64_t workload = 0;
    std::int64_t machine = 0;
    std::int64_t setting = 0;
    std::string protocol;
    std::string condition;
    int threads = 1;
    std::string engine;

    auto operator<=>(const ComparableKey&) const = default;
};

/// `sql` selects the columns of list_results().
Result<std::vector<ResultRecord>> read_results(Workspace& workspace, const ResultQuery& query,
                                               const std::string& sql) {
    Database& database = workspace.database();
    const auto referred = read_referred(database, query);
    if (!referred)
        return std::unexpected(referred.error());
    auto statement = database.query(sql, query.protocol, query.workload);
    if (!statement)
        return std::unexpected(statement.error());
    std::vector<ResultRecord> results;
    struct Baseline {
        double median_ms = std::numeric_limits<double>::infinity();
        std::optional<double> spread_ms{};
        std::string measured;
        BaselineRanges ranges{}; ///< of its times at all moments

        void keep(double ms, const std::optional<double>& spread, const std::string& date) {
            median_ms = ms;
            spread_ms = spread;
            measured = date;
        }
    };
    std::vector<const Baseline*> baseline_of; // of each result
    // Several texts may mean the baseline (of fixed CSR an unsplit index's inner name is irrelevant): the one
    // that was measured last counts. The fastest of them would be a minimum beside single medians.
    std::map<ComparableKey, Baseline> baselines;
    auto last = baselines.end();
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row)
            break;
        const auto workload = referred->workloads.find(statement->integer(0));
        const auto machine = referred->machines.find(statement->integer(1));
        const auto setting = referred->settings.find(statement->integer(2));
        const auto configuration = referred->configurations.find(statement->integer(3));
        if (workload == referred->workloads.end() || machine == referred->machines.end() ||
            setting == referred->settings.end() || configuration == referred->configurations.end() ||
            (query.condition && statement->text_view(5) != *query.condition))
            continue;
        ResultRecord& result = results.emplace_back();
        result.workload = workload->second;
        result.machine = machine->second.name;
        result.machine_fingerprint = machine->second.fingerprint;
        result.setting = setting->second;
        result.protocol = statement->text_view(4);
        result.condition = statement->text_view(5);
        result.family = configuration->second.family;
        result.configuration = configuration->second.text;
        result.threads = configuration->second.threads;
        result.is_baseline = configuration->second.is_baseline;
        ComparableKey key{workload->first,
                          machine->first,
                          setting->first,
                          result.protocol,
                          result.condition,
                          result.threads,
                          std::string(statement->text_view(13))};
        if (last == baselines.end() || last->first != key)
            last = baselines.try_emplace(std::move(key)).first;
        baseline_of.push_back(&last->second);
        if (statement->integer(12) == 0) {
            result.status = MeasurementStatus::Damaged;
            result.reason = damaged_reason;
            continue;
        }
        result.status = parse_measurement_status(statement->text_view(6)).value_or(MeasurementStatus::Failed);
        result.median_ms = statement->optional_real(7);
        if (result.status == MeasurementStatus::Measured)
            result.spread_ms = statement->optional_real(8);
        result.bytes = static_cast<std::uint64_t>(statement->integer(9));
        result.reason = statement->text_view(10);
        result.measured = statement->text_view(11);
        result.engine = statement->text_view(13);
        result.reference_ms = statement->optional_real(14);
        result.scatter_ms = statement->optional_real(15);
        result.error_ms = statement->optional_real(16);
        result.drift_ms = statement->optional_real(17);
        result.disturbance = statement->optional_real(18);
        if (result.is_baseline && result.status == MeasurementStatus::Measured && result.median_ms &&
            result.measured >= last->second.measured)
            last->second.keep(*result.median_ms, result.spread_ms, result.measured);
        if (result.status == MeasurementStatus::Measured && result.reference_ms)
            last->second.ranges.add(result.measured, *result.reference_ms);
    }
    for (auto& [key, baseline] : baselines)
        baseline.ranges.sort();
    for (std::size_t place = 0; place < results.size(); ++place) {
        ResultRecord& result = results[place];
        const double baseline_ms = result.reference_ms.value_or(baseline_of[place]->median_ms);
        if (result.status == MeasurementStatus::Measured && result.median_ms && std::isfinite(baseline_ms))
            result.speedup = baseline_ms / *result.median_ms;
        if (!result.speedup)
            continue;
        result.baseline_spread_ms = baseline_of[place]->spread_ms;
        if (result.reference_ms)
            result.baseline_range = baseline_of[place]->ranges.around(result.measured);
    }
    return results;
}

/// Those of one workload are found by an index: an evaluation asks for each of thousands.
std::string condition_of(const ResultQuery& query) {
    return std::string("(?1 = '' OR m.protocol = ?1) AND ") +
           (query.workload.empty() ? "?2 = ''"
                                   : "m.workload_id IN (SELECT id FROM workloads WHERE name = ?2)");
}

} // namespace

Result<std::vector<ResultRecord>> list_results(Workspace& workspace, const ResultQuery& query) {
    return read_results(
        workspace, query,
        checked("SELECT m.workload_id, m.machine_id, m.setting_id, m.configuration_id, m.protocol, "
                "    m.condition, m.status, m.median_ms, CASE WHEN m.repeats > 0 THEN m.spread_ms END, "
                "    m.bytes, m.reason, m.measured, {}, coalesce(m.engine, ''), m.reference_ms, "
                "    m.scatter_ms, m.error_ms, m.drift_ms, m.disturbance "
                "FROM measurements m WHERE ") +
            condition_of(query) + " ORDER BY m.id");
}

namespace {

/// `sql` tells the measurement_id, status, median_ms, spread_ms, date and engine of what is not in the
/// measurements.
Result<std::vector<ResultRecord>> read_others(Workspace& workspace, const ResultQuery& query,
                                              std::string_view sql) {
    auto results = read_results(
        workspace, query,
        fmt::format("SELECT m.workload_id, m.machine_id, m.setting_id, m.configuration_id, m.protocol, "
                    "    m.condition, o.status, o.median_ms, o.spread_ms, m.bytes, '', o.date, 1, "
                    "    coalesce(o.engine, ''), NULL, NULL, NULL, NULL, NULL "
                    "FROM ({}) o JOIN measurements m ON m.id = o.measurement_id WHERE {} "
                    "ORDER BY m.id, o.date",
                    sql, condition_of(query)));
    if (results)
        for (ResultRecord& result : *results) { // the baseline of then may be of another session
            result.speedup.reset();
            result.baseline_spread_ms.reset();
        }
    return results;
}

} // namespace

Result<std::vector<ResultRecord>> list_earlier_results(Workspace& workspace, const ResultQuery& query) {
    return read_others(workspace, query,
                       "SELECT measurement_id, status, median_ms, spread_ms, measured AS date, engine "
                       "FROM earlier_times");
}

Result<std::vector<ResultRecord>> list_failed_repeats(Workspace& workspace, const ResultQuery& query) {
    // Of another engine an attempt would have replaced the time, so it is of the time's engine.
    return read_others(
        workspace, query,
        "SELECT f.measurement_id, f.status, f.median_ms, NULL AS spread_ms, f.attempted AS date, t.engine "
        "FROM failed_repeats f JOIN measurements t ON t.id = f.measurement_id "
        "WHERE f.status IS NOT NULL AND f.attempted > t.measured");
}

namespace {

bool is_measured(const RankedTime& time) {
    return time.status == MeasurementStatus::Measured && time.median_ms;
}

} // namespace

bool are_ranked_by_speedup(std::span<const RankedTime> times) {
    return std::ranges::all_of(
        times, [](const RankedTime& time) { return !is_measured(time) || time.speedup.has_value(); });
}

std::vector<std::size_t> fastest_first(std::span<const RankedTime> times) {
    const bool have_speedups = are_ranked_by_speedup(times);
    const auto order = [&](std::size_t place) {
        const RankedTime& time = times[place];
        const double median_ms = time.median_ms.value_or(0);
        if (is_measured(time))
            return std::tuple(0, have_speedups ? -*time.speedup : 0, median_ms);
        return std::tuple(time.status == MeasurementStatus::GaveUp ? 1 : 2, 0.0, median_ms);
    };
    std::vector<std::size_t> places(times.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, {}, order);
    return places;
}

Result<std::vector<std::string>> measured_protocols(Workspace& workspace) {
    return workspace.database().all([](Statement& row) { return row.text(0); },
                                    "SELECT DISTINCT protocol FROM measurements ORDER BY protocol");
}

} // namespace sparsight
