// The space of schedules: all of them numbered, the neighbours of one, and mixtures of two, for sampling and
// for searches.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <array>
#include <optional>
#include <vector>

namespace sparsight {

/// The space that schedules are drawn from uniformly: all distinct (canonical) schedules for some extents.
/// Each split is a power of two up to the extent of its index (at most maximum_split); every valid order of
/// the existing loops, every format of their levels, every allowed parallel loop and the chunks 1, 2, 4 …
/// 256 occur, with the given number of threads. Schedules are numbered, so that drawing without repetition
/// and listing all of a small space are both easy.
class SearchSpace {
public:
    SearchSpace(Operator op, const Extents& extents, int threads);

    /// Below 2^53 for any extents, for matrices below 2^30.
    [[nodiscard]] std::uint64_t size() const;
    /// rank < size(); different ranks are different schedules.
    [[nodiscard]] SuperSchedule at(std::uint64_t rank) const;

private:
    /// The indices that are split are a bit set over indices(op_).
    [[nodiscard]] std::uint64_t size_with(unsigned split_indices) const;

    Operator op_;
    int threads_;
    std::array<std::uint64_t, most_indices> splits_{}; ///< how many splits above 1 each of indices(op_) has
};

/// The largest chunk of WACO's space; no neighbour has a larger one.
inline constexpr int largest_chunk = 256;

/// One step through the space of schedules: every schedule that differs from a valid one in one decision. All
/// are valid, canonical, different from the start and from each other. The decisions are
/// - a split: doubled while it does not cover the extent yet, or halved (rounded down) until it is gone; one
///   that appears stands directly inside its outer loop, uncompressed;
/// - the format of an existing level: flipped;
/// - the order: two loops next to each other swapped, unless they are the two parts of one index;
/// - the parallel loop: another one that is allowed;
/// - the chunk: doubled up to largest_chunk, or halved.
/// The number of threads is not a decision: WACO always takes all the machine has, and no cost model here
/// sees them.
///
/// One step undoes another where splits and chunk are powers of two within these bounds. The exception is the
/// removal of a split whose inner loop stood elsewhere or was compressed: its place is lost.
[[nodiscard]] std::vector<SuperSchedule> neighbours(const SuperSchedule& schedule, const Extents& extents);

/// A child of two schedules, for evolutionary searches: each decision (the order, each split, each format,
/// the parallel loop, the chunk) comes from either schedule at random. Both are valid, of one operator and
/// for the same threads. Canonical. Absent where the decisions do not go together.
[[nodiscard]] std::optional<SuperSchedule> mixture(const SuperSchedule& one, const SuperSchedule& other,
                                                   Random& random);

/// Of these designs every combination of a few splits, formats and chunks; canonical, valid, parallel over
/// i1, no two of one meaning, fixed CSR not among them. They depend on nothing but the arguments, so that a
/// search knows them wherever nothing was measured yet:
/// - panels of rows, one row after the other, as CSR is gone through, in chunks of different sizes;
/// - blocks of rows, all of a block's rows inside each of its columns, so that what belongs to a column is
///   loaded once for all of them (register blocking: Im and Yelick, "Optimizing sparse matrix computations
///   for register reuse in SPARSITY", 2001);
/// - panels of rows cut into panels of columns, whose rows of B stay in a cache (cache blocking: Nishtala,
///   Vuduc, Demmel and Yelick, "When cache blocking of sparse matrix vector multiply works and why", 2007);
/// - all of these in strips of the first dense index, where there is one.
/// Rows and columns are the first and the last index of A; a tensor's indices between them are not split.
[[nodiscard]] std::vector<SuperSchedule> designed_schedules(Operator op, const Extents& extents, int threads);

} // namespace sparsight
