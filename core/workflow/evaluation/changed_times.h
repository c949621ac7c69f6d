// What changed between two measurements of the same configuration under the same conditions: today against
// yesterday, beyond noise or not.
#pragma once

#include "base/observer.h"
#include "store/measurements.h"
#include "study/domain.h"
#include "workflow/evaluation/stored_results.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sparsight {

struct ChangedTime {
    ResultRecord earlier;
    ResultRecord later;
    /// The times differ by more than their spreads together (time_differences.h).
    bool is_beyond_noise = false;

    /// Above 1: it takes longer now.
    [[nodiscard]] double ratio() const { return *later.median_ms / *earlier.median_ms; }
};

struct TimeChanges {
    std::vector<ChangedTime> times; ///< the largest changes beyond noise first, then those within it
    std::size_t beyond_noise = 0;
    double overall = 1; ///< geometric mean of the ratios
};

/// What the dates of results (UTC) from `date` on, "2026-11-24" or "2026-11-24T13:00Z", are not below as
/// texts; empty as the date is. Errors: there is no such date (Input).
[[nodiscard]] Result<std::string> start_of(const std::string& date);

/// Compares `later` results with the newest of their `earlier` times; those without a time or without an
/// earlier one are left out. With a date of start_of() the earlier times are those from before it, and the
/// later ones were measured since.
[[nodiscard]] TimeChanges changed_times(const std::vector<ResultRecord>& earlier,
                                        const std::vector<ResultRecord>& later, const std::string& since);

/// Errors: as of find_results() and start_of().
[[nodiscard]] Result<TimeChanges> find_changed_times(Workspace& workspace, const Domain& domain,
                                                     const ResultsFilter& filter, const std::string& since);

/// "3 of 40 schedules changed beyond noise. Overall they take 4.0 % longer than before."
[[nodiscard]] std::string changes_sentence(const Domain& domain, const TimeChanges& changes);

[[nodiscard]] Json changes_json(const Domain& domain, const TimeChanges& changes);

} // namespace sparsight
