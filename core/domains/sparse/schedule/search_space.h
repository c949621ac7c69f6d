// The space that schedules are drawn from uniformly.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <optional>
#include <vector>

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

// One step through the space of schedules: change one decision, keep the rest.

/// No chunk grows beyond the largest of WACO's space.
inline constexpr int largest_chunk = 256;

/// Every schedule that differs from a valid one in one decision; all valid, canonical, different from the
/// start and from each other. The decisions are
/// - a split: doubled while it does not cover the extent yet, or halved (rounded down) until it is gone; one
///   that appears stands directly inside its outer loop, uncompressed;
/// - the format of a level that is there: flipped;
/// - the order: two loops next to each other swapped, unless they are the two parts of one index;
/// - the parallel loop: another one that is allowed;
/// - the chunk: doubled up to largest_chunk, or halved.
/// Threads are no decision: WACO always takes all the machine has, and no cost model here sees them.
///
/// A step can be taken back by one step, where splits and chunk are powers of two within these bounds, but
/// for the removal of a split whose inner loop stood elsewhere or was compressed: where it stood is
/// forgotten.
[[nodiscard]] std::vector<SuperSchedule> neighbours(const SuperSchedule& schedule, const Extents& extents);

// A child of two schedules, for searches that breed.

/// Each decision (the order, each split, each format, the parallel loop, the chunk) from either schedule, as
/// a coin falls; both are valid, of one operator and for the same threads. Canonical. Absent where the
/// decisions do not go together.
[[nodiscard]] std::optional<SuperSchedule> mixture(const SuperSchedule& one, const SuperSchedule& other,
                                                   Random& random);

} // namespace sparsight
