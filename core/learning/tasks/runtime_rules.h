// Which measurements of a workload are learned from, and as what.
#pragma once

#include "learning/tasks/task.h"
#include "study/measurement.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace sparsight {

/// A measurement of one configuration as it is stored.
struct RecordedRuntime {
    Configuration configuration;
    MeasurementStatus status = MeasurementStatus::Failed;
    std::optional<double> median_ms{}; ///< as in Measurement: only for Measured and GaveUp
    std::optional<double> spread_ms{}; ///< absent where it is not known, as for imported runtimes
    bool is_baseline = false;
    std::uint64_t digest = 0; ///< see WorkloadRuntimes::digests
};

/// The limits are those of a domain. In this order, after what is damaged was left out:
/// 1. What failed, was too large or gave a wrong result is infinite; so is what was given up.
/// 2. A median below `shortest_ms` is none: nothing runs that fast, the timer slipped. One of `longest_ms`
/// and
///    more is left out, unless it is the baseline's, which every speedup needs.
/// 3. Where some were given up, what ran longer than the shortest of them waited is infinite (task.h).
/// 4. Of several measurements of one configuration the fastest stays, as in the results.
/// 5. A workload without two different runtimes has no order to learn and is left out.
struct RuntimeRules {
    double shortest_ms = 0;
    double longest_ms = std::numeric_limits<double>::infinity();
};

/// What became of the measurements of one machine; all but `measurements` count configurations on
/// workloads.
struct RuntimeCounts {
    std::int64_t measurements = 0;    ///< that there are
    std::int64_t without_pattern = 0; ///< left out: their workloads are known by name alone
    std::int64_t unreadable = 0;      ///< left out: the data of their workloads can't be read
    std::int64_t damaged = 0;         ///< left out: MeasurementStatus::Damaged
    std::int64_t too_short = 0;       ///< left out by rule 2
    std::int64_t too_long = 0;        ///< left out by rule 2
    std::int64_t repeated = 0;        ///< left out by rule 4
    std::int64_t without_order = 0;   ///< left out by rule 5
    std::int64_t runtimes = 0;        ///< taken: measurements less all above
    // Of the runtimes, those that are infinite:
    std::int64_t failed = 0;
    std::int64_t given_up = 0;
    std::int64_t beyond_given_up = 0; ///< by rule 3

    bool operator==(const RuntimeCounts&) const = default;
};

/// Of one workload on one machine; the place of the workload is left at 0. Empty by rule 5. Adds to the
/// counts, `measurements` too.
[[nodiscard]] WorkloadRuntimes apply_rules(std::span<const RecordedRuntime> stored, const RuntimeRules& rules,
                                           RuntimeCounts& counts);

} // namespace sparsight
