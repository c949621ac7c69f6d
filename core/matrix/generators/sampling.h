// Drawing sets of positions. Only whole-number arithmetic, so that a seed means the same set on every
// machine.
#pragma once

#include "base/random.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace sparsight {

/// `count` different numbers of [0, population) in ascending order, every such set equally likely; all of
/// them when count >= population. O(count log count) whatever the population is, and no slower near density
/// 1. `sample` is overwritten; its capacity is reused. Throws GenerationStopped (stopping.h).
void sample_sorted(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample, const std::stop_token& stop = {});

/// How many of `population` things a share of them is, rounded to the nearest.
std::uint64_t share_of(std::uint64_t population, double share);

/// Calls visit(position) in ascending order for exactly share_of(population, share) random positions.
template <typename Visit>
void visit_share(Random& random, std::uint64_t population, double share, const std::stop_token& stop,
                 Visit visit) {
    const std::uint64_t count = share_of(population, share);
    if (count == population) {
        for (std::uint64_t position = 0; position < population; ++position)
            visit(position);
        return;
    }
    std::vector<std::uint64_t> sample;
    sample_sorted(random, population, count, sample, stop);
    for (const std::uint64_t position : sample)
        visit(position);
}

} // namespace sparsight
