// How a SuperSchedule stores A: the levels of the format, outermost first, and the matrix packed into them.
// The level order is the loop order restricted to A's indices, so that every traversal is concordant.
#pragma once

#include "base/memory.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"

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

/// Every position of a level stands for one subtree; the root is the only position above the first level.
/// Uncompressed: position = parent · extent + coordinate, and pos and crd are empty.
/// Compressed: the children of parent p are the positions pos[p] … pos[p + 1] − 1, crd[position] is the
/// coordinate, ascending under each parent; pos has one entry more than there are parents.
struct PackedLevel {
    IndexBuffer pos;
    IndexBuffer crd;
    std::int64_t positions = 0;
    bool operator==(const PackedLevel&) const = default;
};

/// A sparse matrix stored in the level formats of a schedule: a coordinate tree, level by level (Chou,
/// Kjolstad, Amarasinghe, "Format abstraction for sparse tensor algebra compilers", OOPSLA 2018).
struct PackedMatrix {
    StorageFormat format;
    std::vector<PackedLevel> levels; ///< as many as the format has
    FloatBuffer values;              ///< one for each position of the last level; 0 where no entry is stored
    std::int64_t nnz = 0;            ///< entries of the pattern, padding left out
    IndexBuffer entry_positions;     ///< where in values each entry is, in CSR order; only when asked for

    /// The size of pos, crd and values: what a kernel may have to read.
    [[nodiscard]] std::uint64_t bytes() const;
};

/// Lists everything that the tree stores, padding included, in the tree's order, by a simple walk.
[[nodiscard]] CooPattern to_coordinates(const PackedMatrix& matrix);

} // namespace sparsight
