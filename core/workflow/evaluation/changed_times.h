// What changed between two measurements of the same configuration under the same conditions: today against
// yesterday, beyond noise or not.
#pragma once

#include "base/observer.h"
#include "evaluation/failures/failure_case.h"
#include "store/measurements.h"
#include "study/domain.h"
#include "workflow/evaluation/stored_results.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct ChangedTime {
    ResultRecord earlier;
    ResultRecord later; ///< measured or, with a time that is a lower bound, given up
    /// Of what was given up: beyond noise where its bound is, otherwise unknown.
    Significance significance = Significance::NoiseUnknown;

    [[nodiscard]] bool is_beyond_noise() const { return significance == Significance::BeyondNoise; }
    [[nodiscard]] bool is_at_least() const { return later.status == MeasurementStatus::GaveUp; }
    /// Above 1: it takes longer now.
    [[nodiscard]] double ratio() const { return *later.median_ms / *earlier.median_ms; }
};

struct TimeChanges {
    std::vector<ChangedTime> times; ///< the largest changes beyond noise first, then the others
    std::size_t beyond_noise = 0;
    std::size_t noise_unknown = 0;
    std::size_t given_up = 0;      ///< of the times
    std::size_t failed = 0;        ///< beside them: measured again without a time
    std::optional<double> overall; ///< geometric mean of the ratios, without those given up; if any
};

/// What the dates of results (UTC) from `date` on, "2026-11-24" or "2026-11-24T13:00Z", are not below as
/// texts; empty as the date is. Errors: there is no such date (Input).
[[nodiscard]] Result<std::string> start_of(const std::string& date);

/// Compares `later` results with the newest of their `earlier` times; those without an earlier one are
/// left out, and those without a time are counted. With a date of start_of() the earlier times are those from
/// before it, and the later ones were measured since.
[[nodiscard]] TimeChanges changed_times(const std::vector<ResultRecord>& earlier,
                                        const std::vector<ResultRecord>& later, const std::string& since);

/// Errors: as of find_results() and start_of().
[[nodiscard]] Result<TimeChanges> find_changed_times(Workspace& workspace, const Domain& domain,
                                                     const ResultsFilter& filter, const std::string& since);

/// "3 of 40 schedules changed beyond noise. 1 schedule has no time any more. Overall those measured to the
/// end take 4.0 % longer than before."
[[nodiscard]] std::string changes_sentence(const Domain& domain, const TimeChanges& changes);

[[nodiscard]] Json changes_json(const Domain& domain, const TimeChanges& changes);

} // namespace sparsight
