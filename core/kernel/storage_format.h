// How a SuperSchedule stores A: its levels, outermost first. The level order is the loop order restricted to
// A's indices, so that every traversal is concordant.
#pragma once

#include "schedule/super_schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

/// One level of the coordinate tree. With x the row (or column) of an entry and s its split, the coordinate
/// of an outer level is x / s and that of an inner level is x mod s.
struct StorageLevel {
    LoopIndex loop;
    bool is_row = true;
    std::int64_t split = 1; ///< s; 1 when the index is not split, and then only the outer level exists
    std::int64_t extent =
        0; ///< coordinates are in [0, extent): ⌈n / s⌉ for an outer level, s for an inner one
    LevelFormat format = LevelFormat::Uncompressed;
    bool operator==(const StorageLevel&) const = default;
};

struct StorageFormat {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<StorageLevel> levels;
    bool operator==(const StorageFormat&) const = default;
};

[[nodiscard]] StorageFormat storage_format(const SuperSchedule& schedule, std::int64_t rows,
                                           std::int64_t cols);

/// "i1:U(4096) k1:C(8192)", for messages and the window.
[[nodiscard]] std::string describe(const StorageFormat& format);

} // namespace sparsight
