// Which measurements of a matrix are learned from, and as what.
#pragma once

#include "domains/sparse/storage/runtimes.h"
#include "learning/tasks/task.h"

#include <cstdint>
#include <span>

namespace sparsight {

/// In this order:
/// 1. What failed, was too large or gave a wrong result is infinite; so is what was given up.
/// 2. A median below `shortest_ms` is none: no kernel with a team of threads runs that fast, the timer
///    slipped. One of `longest_ms` and more is left out as WACO does, unless it is fixed CSR's, which every
///    speedup needs.
/// 3. Where some were given up, what ran longer than the shortest of them waited is infinite (task.h).
/// 4. Of schedules that mean the same the fastest stays, as in the results (store/runtimes.h).
/// 5. A matrix without two different runtimes has no order to learn and is left out.
struct RuntimeRules {
    double shortest_ms = 0.001;
    double longest_ms = 1000;
};

/// What became of the measurements of one machine; all but `measurements` count schedules on matrices.
struct RuntimeCounts {
    std::int64_t measurements = 0;    ///< that there are
    std::int64_t without_pattern = 0; ///< left out: their matrices are known by name alone
    std::int64_t unreadable = 0;      ///< left out: the patterns of their matrices can't be read
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

/// Of one matrix on one machine; the place of the matrix is left at 0. Empty by rule 5. Adds to the counts,
/// `measurements` too.
[[nodiscard]] MatrixRuntimes apply_rules(std::span<const StoredRuntime> stored, const RuntimeRules& rules,
                                         RuntimeCounts& counts);

} // namespace sparsight
