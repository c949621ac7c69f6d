// Whether the matrices of a task tell how large the caches of simulated machines are. By the layer conditions
// of the mechanistic simulator a cache is felt where what a schedule touches at a time fits into it on one
// matrix and not on another: with matrices on one side of the boundary alone, every size of that cache gives
// the same times, and nothing about it can be learned.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/tensor/statistics.h"
#include "machine/machine_description.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// What schedules touch of A, the dense operands and the output, in bytes.
struct WorkingSet {
    double divided = 0; ///< each core has its part of it: A, the output, what is read by rows
    double common = 0;  ///< every core reads all of it: what is read by columns

    [[nodiscard]] double of_core(double cores) const { return divided / cores + common; }
    [[nodiscard]] double of_all() const { return divided + common; }
};

/// Of fixed CSR, which goes through the whole dense extent at a time.
[[nodiscard]] WorkingSet whole_working_set(Operator op, std::int64_t dense, const PatternStatistics& matrix);
/// Of a schedule that takes the dense extent by cache lines: less at a time is hardly possible.
[[nodiscard]] WorkingSet least_working_set(Operator op, std::int64_t dense, const PatternStatistics& matrix);

/// A cache of some machines with all matrices on one side of its size.
struct CacheGap {
    int level = 1;        ///< 1 and 2 of a core; 3: one of the last ones, with the second ones of its cores
    bool all_fit = false; ///< into each of them the largest matrix; otherwise not even the smallest one
    std::size_t machines = 0; ///< that have such a cache
    std::size_t of_machines = 0;
    double bytes = 0; ///< that matrices have to touch more of, or less: the farthest off of these caches

    bool operator==(const CacheGap&) const = default;
};

/// By level, those that all fit into first. At least one matrix.
[[nodiscard]] std::vector<CacheGap> cache_gaps(Operator op, std::int64_t dense,
                                               std::span<const PatternStatistics> matrices,
                                               std::span<const MachineDescription> machines);

/// For the user, with the command that adds matrices on the other side.
[[nodiscard]] std::string sentence(const CacheGap& gap, Operator op, std::int64_t dense);

} // namespace sparsight
