// How many different coordinates a loop nest visits when it walks a storage format: of all levels or of some,
// one by one or in windows. Work, fill-in and the reuse of every operand are such numbers.
//
// A leaf is visited iff every compressed level above it has its coordinate, that is, iff the prefix down to
// the last compressed level is that of an entry; the uncompressed levels below it are walked whole. So a
// count over some levels is a number of distinct coordinates of the pattern (above, and at, the last
// compressed level) times the extents of uncompressed ones (below).
#pragma once

#include "kernel/storage_format.h"
#include "matrix/distinct_coordinates.h"

#include <array>
#include <cstdint>
#include <stop_token>

namespace sparsight {

/// For each level of a format: 0 when its coordinate is not told apart, 1 when it is, w when every w
/// coordinates count as one.
using LevelWindows = std::array<std::int64_t, 4>;

/// Tells apart what either does.
[[nodiscard]] LevelWindows finer(const LevelWindows& a, const LevelWindows& b);

class VisitedCoordinates {
public:
    /// Format and counts must outlive it; the format is one of the pattern that is counted.
    VisitedCoordinates(const StorageFormat& format, const DistinctCoordinates& distinct,
                       std::stop_token stop = {});

    /// A window on an inner level counts only where its outer level is told apart, too. 0 once it was asked
    /// to stop: whoever asked throws away what is made of it.
    [[nodiscard]] double count(const LevelWindows& levels) const;

    /// Parts of an entry that the levels down to the last compressed one tell apart.
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
};

} // namespace sparsight
