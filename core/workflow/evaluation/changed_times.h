// Compares two measurements of the same configuration under the same conditions, such as today's with
// yesterday's: did it change beyond noise?
#pragma once

#include "base/observer.h"
#include "evaluation/estimates.h"
#include "evaluation/failures/failure_case.h"
#include "store/results.h"
#include "study/domain.h"
#include "workflow/evaluation/stored_results.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// Two times, of which one may be the lower bound of a run that was abandoned.
struct ChangedTime {
    ResultRecord earlier;
    ResultRecord later;
    /// A change from or to an abandoned run is beyond noise if it is with the lower bound; otherwise this is
    /// unknown. So it is between two engines.
    Significance significance = Significance::NoiseUnknown;

    /// Two engines measured them, or an unknown one and a known one: what measured has changed, and nothing
    /// is known of the computer. Every other reader keeps such times apart, too.
    [[nodiscard]] bool is_of_two_engines() const { return earlier.engine != later.engine; }

    [[nodiscard]] bool is_beyond_noise() const { return significance == Significance::BeyondNoise; }
    /// The ratio is a lower bound: the later run was abandoned.
    [[nodiscard]] bool is_at_least() const { return later.status == MeasurementStatus::GaveUp; }
    /// The ratio is an upper bound: the earlier run was abandoned.
    [[nodiscard]] bool is_at_most() const { return earlier.status == MeasurementStatus::GaveUp; }
    /// Above 1: it takes longer than before.
    [[nodiscard]] double ratio() const { return *later.median_ms / *earlier.median_ms; }
};

struct TimeChanges {
    /// The largest changes beyond noise first, then the others, then those of two engines.
    std::vector<ChangedTime> times;
    std::size_t of_two_engines = 0; ///< number of those among the times; no other count has them
    std::size_t beyond_noise = 0;
    std::size_t noise_unknown = 0;
    std::size_t given_up = 0;        ///< number of those among the times whose later run was abandoned
    std::size_t given_up_before = 0; ///< the same of the earlier run
    std::size_t failed = 0; ///< number of configurations that have no time any more; not among the times
    /// The mean ratio over workloads, of which each counts once, without abandoned runs: ratios of one
    /// workload resemble each other, so a mean over all of them would look more certain than it is. Absent
    /// below fewest_families, and where the times are of several machines, settings, protocols, conditions or
    /// engines.
    std::optional<Estimate> overall;
    std::size_t workloads = 0; ///< of the overall change

    /// Of one engine each.
    [[nodiscard]] std::size_t compared() const { return times.size() - of_two_engines; }
};

/// The start of a date ("2026-11-24" or "2026-11-24T13:00Z") as text that compares with the dates of results
/// (UTC); empty for an empty date. Errors: there is no such date (Input).
[[nodiscard]] Result<std::string> start_of(const std::string& date);

/// What changed_times() compares.
struct RepeatedResults {
    std::vector<ResultRecord> earlier; ///< that were replaced
    std::vector<ResultRecord> later;   ///< as they are known now
    /// Repetitions that came to nothing, in the order of their dates, so that the later time stands.
    std::vector<ResultRecord> attempts{};
    std::map<std::string, std::string> families{}; ///< by workload; others are families of their own
};
/// Errors: those of find_results().
[[nodiscard]] Result<RepeatedResults> find_repeated_results(Workspace& workspace, const Domain& domain,
                                                            const ResultsFilter& filter);

/// Compares later results with the newest of their earlier times, or with the newest bound where all were
/// abandoned; with those of another engine only where there are no others. A later time that has no earlier
/// one is compared with the last attempt to repeat it that was abandoned. Other results without an earlier
/// time are left out, and so are those that were abandoned both times; those that lost their time are
/// counted. With a date of start_of(), earlier times are those before it, and later ones were measured since.
[[nodiscard]] TimeChanges changed_times(const RepeatedResults& results, const std::string& since);

/// When a configuration was measured that had a time already (UTC, ascending): dates since which there is
/// something to compare.
[[nodiscard]] std::vector<std::string> dates_measured_again(const RepeatedResults& results);

/// Errors: those of find_results() and start_of().
[[nodiscard]] Result<TimeChanges> find_changed_times(Workspace& workspace, const Domain& domain,
                                                     const ResultsFilter& filter, const std::string& since);

/// "3 of 40 schedules changed beyond noise. 1 was abandoned before and has a time now. Those measured to the
/// end both times take 4.0 % longer than before on average over 5 matrices (95 % interval +1.2 % to +6.9 %)."
[[nodiscard]] std::string changes_sentence(const Domain& domain, const TimeChanges& changes);

[[nodiscard]] Json changes_json(const Domain& domain, const TimeChanges& changes);

} // namespace sparsight
