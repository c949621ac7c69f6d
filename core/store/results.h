// Measurements as users read them: with the names of what they are of, and beside the baseline.
#pragma once

#include "base/error.h"
#include "store/baseline_ranges.h"
#include "study/measurement.h"
#include "study/workload.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// Whether a stored time comes from a simulation: its reason names the description that was simulated.
[[nodiscard]] inline bool is_simulated_time(std::string_view reason) {
    return reason.starts_with("simulated (");
}

class Workspace;

/// A measurement as users read it: with names, and beside the baseline of the same workload, machine,
/// setting, protocol, condition and number of threads.
struct ResultRecord {
    std::string workload;
    std::string machine;             ///< its name; several may have one
    std::string machine_fingerprint; ///< tells it from others
    Setting setting;
    std::string protocol;
    std::string condition;
    std::string family;        ///< of the configuration
    std::string configuration; ///< its text as it was written
    int threads = 1;
    bool is_baseline = false;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms; ///< absent where there is no time
    std::optional<double> spread_ms;
    /// Over the baseline at that moment (Measurement::reference), or else over the baseline that the same
    /// engine measured last; absent unless both were measured.
    std::optional<double> speedup;
    std::optional<double> baseline_spread_ms{}; ///< of the baseline that the same engine measured last
    /// All times of the baseline in the collection that measured this one; absent where no moment's is known.
    std::optional<BaselineRange> baseline_range{};
    std::uint64_t bytes = 0;
    std::string reason;
    std::string measured; ///< UTC, ISO 8601

    // As in Measurement.
    std::string engine{};
    std::optional<double> reference_ms{};
    std::optional<double> scatter_ms{};
    std::optional<double> error_ms{};
    std::optional<double> drift_ms{};
    std::optional<double> disturbance{};

    bool operator==(const ResultRecord&) const = default;
};

/// What decides the place of a result among those that compare with it.
struct RankedTime {
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms{};
    std::optional<double> speedup{}; ///< at its moment, as in ResultRecord
};

[[nodiscard]] inline RankedTime ranked_time(const ResultRecord& result) {
    return {result.status, result.median_ms, result.speedup};
}

/// Whether results that compare with each other come by their speedups: each measured one has one.
[[nodiscard]] bool are_ranked_by_speedup(std::span<const RankedTime> times);

/// The places of results that compare with each other, the fastest first; every list of results and its
/// "best" go by this rule. Evaluations do not: they compare medians (evaluation/known_times.h), or times in
/// turns. Measured ones come by their speedup, since a drift of the computer between their moments cancels in
/// it, or by their median where one of them has no speedup (are_ranked_by_speedup()). Abandoned ones follow
/// by their bound, then those without a time. Equal ones keep their order.
[[nodiscard]] std::vector<std::size_t> fastest_first(std::span<const RankedTime> times);

/// Sorts by that rule, by the ranked_time() of each row.
template <typename Row>
void sort_fastest_first(std::vector<Row>& rows) {
    std::vector<RankedTime> times;
    for (const Row& row : rows)
        times.push_back(ranked_time(row));
    std::vector<Row> sorted;
    sorted.reserve(rows.size());
    for (const std::size_t place : fastest_first(times))
        sorted.push_back(std::move(rows[place]));
    rows = std::move(sorted);
}

/// An empty field admits everything.
struct ResultQuery {
    std::string domain{};
    std::string workload{};
    std::string machine{}; ///< name or fingerprint
    std::string family{};  ///< of configurations
    std::string setting{}; ///< a setting's text
    std::string protocol{};
    std::optional<int> threads{};
    std::optional<std::string> condition{};
};

/// The results in the order in which they were first recorded.
[[nodiscard]] Result<std::vector<ResultRecord>> list_results(Workspace& workspace, const ResultQuery& query);

/// Times that were replaced since, as their configurations were measured again under the same conditions:
/// with the median, the spread, the date and the engine of then, and without a speedup. The engine is empty
/// where none is known, as of times that were replaced before format 9 of workspaces. In the order of
/// list_results(), of each measurement the oldest first. What was abandoned, and measured to the end since,
/// is among them with its lower bound.
[[nodiscard]] Result<std::vector<ResultRecord>> list_earlier_results(Workspace& workspace,
                                                                     const ResultQuery& query);

/// Attempts to measure a time again that came to nothing, later than the time, which stands: with the status,
/// the date, the engine, and the lower bound where it was abandoned. In the order of list_earlier_results().
[[nodiscard]] Result<std::vector<ResultRecord>> list_failed_repeats(Workspace& workspace,
                                                                    const ResultQuery& query);

/// The protocols of all measurements, each once, in alphabetical order.
[[nodiscard]] Result<std::vector<std::string>> measured_protocols(Workspace& workspace);

} // namespace sparsight
