// Compares two measurements of the same configuration under the same conditions, such as today's with
// yesterday's: did it change beyond noise?
#pragma once

#include "base/observer.h"
#include "evaluation/failures/failure_case.h"
#include "store/results.h"
#include "study/domain.h"
#include "workflow/evaluation/stored_results.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct ChangedTime {
    ResultRecord earlier;
    ResultRecord later; ///< measured, or abandoned with a lower bound
    /// An abandoned time is beyond noise if its lower bound is; otherwise this is unknown.
    Significance significance = Significance::NoiseUnknown;

    [[nodiscard]] bool is_beyond_noise() const { return significance == Significance::BeyondNoise; }
    [[nodiscard]] bool is_at_least() const { return later.status == MeasurementStatus::GaveUp; }
    /// Above 1: it takes longer than before.
    [[nodiscard]] double ratio() const { return *later.median_ms / *earlier.median_ms; }
};

struct TimeChanges {
    std::vector<ChangedTime> times; ///< the largest changes beyond noise first, then the others
    std::size_t beyond_noise = 0;
    std::size_t noise_unknown = 0;
    std::size_t given_up = 0; ///< number of abandoned ones among the times
    std::size_t failed = 0;   ///< number of configurations that have no time any more; not among the times
    /// Geometric mean of the ratios, without abandoned times; absent without ratios.
    std::optional<double> overall;
};

/// The start of a date ("2026-11-24" or "2026-11-24T13:00Z") as text that compares with the dates of results
/// (UTC); empty for an empty date. Errors: there is no such date (Input).
[[nodiscard]] Result<std::string> start_of(const std::string& date);

/// Compares `later` results with the newest of their `earlier` times. Results without an earlier time are
/// left out; those that lost their time are counted. With a date of start_of(), earlier times are those
/// before it, and later ones were measured since.
[[nodiscard]] TimeChanges changed_times(const std::vector<ResultRecord>& earlier,
                                        const std::vector<ResultRecord>& later, const std::string& since);

/// When a configuration was measured that had a time already (UTC, ascending): dates since which there is
/// something to compare.
[[nodiscard]] std::vector<std::string> dates_measured_again(const std::vector<ResultRecord>& earlier,
                                                            const std::vector<ResultRecord>& later);

/// Errors: those of find_results() and start_of().
[[nodiscard]] Result<TimeChanges> find_changed_times(Workspace& workspace, const Domain& domain,
                                                     const ResultsFilter& filter, const std::string& since);

/// "3 of 40 schedules changed beyond noise. 1 schedule has no time any more. Overall those measured to the
/// end take 4.0 % longer than before."
[[nodiscard]] std::string changes_sentence(const Domain& domain, const TimeChanges& changes);

[[nodiscard]] Json changes_json(const Domain& domain, const TimeChanges& changes);

} // namespace sparsight
