// What a loop nest touches of its operands when it walks a storage format: the different coordinates that it
// visits, and the cache lines of each part of the nest. Work, fill-in and the reuse of every operand follow
// from these numbers.
#pragma once

#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/distinct_coordinates.h"

#include <array>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

namespace sparsight {

/// For each level of a format: 0 when its coordinates count as one, 1 when each counts, w when every w
/// coordinates count as one.
using LevelWindows = std::array<std::int64_t, 4>;

/// Distinguishes every coordinate that `a` or `b` distinguishes.
[[nodiscard]] LevelWindows finer(const LevelWindows& a, const LevelWindows& b);

/// How many different coordinates a loop nest visits: of all levels or of some, one by one or in windows.
///
/// A leaf is visited iff every compressed level above it has its coordinate, that is, iff the prefix down to
/// the last compressed level is that of an entry; the uncompressed levels below it are walked whole. So a
/// count over some levels is a number of distinct coordinates of the pattern (above, and at, the last
/// compressed level) times the extents of uncompressed ones (below).
///
/// One thread may use it at a time.
class VisitedCoordinates {
public:
    /// Format and counts must outlive it; the format is one of the pattern that is counted.
    VisitedCoordinates(const StorageFormat& format, const DistinctCoordinates& distinct,
                       std::stop_token stop = {});

    /// A window on an inner level counts only where its outer level is distinguished, too. 0 once it was
    /// stopped: the caller then discards its result.
    [[nodiscard]] double count(const LevelWindows& levels) const;

    /// Parts of an entry that the levels down to the last compressed one distinguish.
    [[nodiscard]] CoordinateParts stored_parts() const { return parts_of({1, 1, 1, 1}); }
    /// Uncompressed positions below each coordinate that those levels store.
    [[nodiscard]] double positions_of_stored() const { return walked_whole({1, 1, 1, 1}); }
    /// Whether a level is below the last compressed one, and walked whole.
    [[nodiscard]] bool is_walked_whole(std::size_t level) const { return level >= walked_whole_; }

    /// The levels of all rows, or of all columns, in windows of `window` neighbours.
    [[nodiscard]] LevelWindows ids(bool rows, std::int64_t window = 1) const;

private:
    [[nodiscard]] CoordinateParts parts_of(const LevelWindows& levels) const;
    [[nodiscard]] double walked_whole(const LevelWindows& levels) const;

    const StorageFormat& format_;
    const DistinctCoordinates& distinct_;
    std::stop_token stop_;
    std::size_t walked_whole_ = 0; ///< first of the uncompressed levels below the last compressed one
    mutable std::vector<std::pair<LevelWindows, double>> counted_; ///< the scopes of a nest ask for few
};

inline constexpr double cache_line_bytes = 64;

/// How an operand relates to the threads of a parallel loop.
enum class Sharing : std::uint8_t {
    Divided, ///< each thread touches its own part
    Common,  ///< all may touch all of it
};

/// The part of one operand that all executions of a scope touch, each line once per execution.
struct OperandVolume {
    double bytes = 0;    ///< of whole cache lines; those written count twice, as they are read before
    double segments = 0; ///< number of distant pieces it is fetched in, where no prefetcher predicts the next
    Sharing sharing = Sharing::Divided;
};

/// What a part of a loop nest touches, from the pattern's own reuse: the basis of layer conditions.
///
/// A scope is one execution of everything below some loop, of the whole nest, or of a window of a loop's
/// iterations. Where what a scope touches fits into a cache, each of its lines is fetched once per scope; so
/// the traffic into that cache is that of the outermost scope that fits (Wolf and Lam, PLDI 1991; the layer
/// condition of Kerncraft, Hammer et al., 2017).
struct MemoryScope {
    double executions = 1;
    bool inside_parallel = false;            ///< one thread executes it
    std::array<OperandVolume, 4> operands{}; ///< A, B, D, C
};

/// Outermost first; the first is the whole nest, the last one iteration of the innermost loop.
[[nodiscard]] std::vector<MemoryScope> memory_scopes(const SuperSchedule& schedule, const Extents& extents,
                                                     const StorageFormat& storage, const StorageSize& size,
                                                     const VisitedCoordinates& visited);

} // namespace sparsight
