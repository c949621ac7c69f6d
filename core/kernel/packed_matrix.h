// A sparse matrix stored in the level formats of a schedule: a coordinate tree, one level of it at a time
// (Chou, Kjolstad, Amarasinghe, "Format abstraction for sparse tensor algebra compilers", OOPSLA 2018).
#pragma once

#include "base/aligned_buffer.h"
#include "kernel/storage_format.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <vector>

namespace sparsight {

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

struct PackedMatrix {
    StorageFormat format;
    std::vector<PackedLevel> levels; ///< as many as the format has
    FloatBuffer values;              ///< one for each position of the last level; 0 where no entry is stored
    std::int64_t nnz = 0;            ///< entries of the pattern, padding left out
    IndexBuffer entry_positions;     ///< where in values each entry is, in CSR order; only when asked for

    /// Of pos, crd and values: what a kernel may have to read.
    [[nodiscard]] std::uint64_t bytes() const;
};

/// Walks the tree in the plainest way and lists what it stores, padding included, in the tree's order.
[[nodiscard]] CooPattern to_coordinates(const PackedMatrix& matrix);

} // namespace sparsight
