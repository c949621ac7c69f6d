// The space that schedules are drawn from uniformly.
#pragma once

#include "schedule/super_schedule.h"

namespace sparsight {

/// All distinct (canonical) schedules for some extents: each split a power of two up to the extent of its
/// index (at most maximum_split), every valid order of the loops that are then there, every format of their
/// levels, every allowed parallel loop, chunks 1, 2, 4 … 256, and the given number of threads. They are
/// numbered, so that drawing without repetition and listing all of a small space are both easy.
class SearchSpace {
public:
    SearchSpace(Operator op, const Extents& extents, int threads);

    /// Below 2^30 for any extents.
    [[nodiscard]] std::uint64_t size() const;
    /// rank < size(); different ranks are different schedules.
    [[nodiscard]] SuperSchedule at(std::uint64_t rank) const;

private:
    /// The indices that are split are a bit set over indices(op_).
    [[nodiscard]] std::uint64_t size_with(unsigned split_indices) const;

    Operator op_;
    int threads_;
    std::array<std::uint64_t, index_count> splits_{}; ///< how many splits above 1 each of indices(op_) has
};

} // namespace sparsight
