// The coordinate tree of a small part of a matrix, node by node, for people to look at. What a kernel walks
// is storage_format.h.
#pragma once

#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <vector>

namespace sparsight {

/// Rows [row, row + rows) and columns [column, column + columns). It may reach beyond the matrix as far as
/// the last block of a split does that does not divide the extent.
struct MatrixWindow {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool operator==(const MatrixWindow&) const = default;
};

/// No window of a tree is higher or wider.
inline constexpr std::int64_t largest_tree_window = 64;

struct CoordinateNode {
    std::int64_t coordinate = 0; ///< as the whole matrix numbers it
    std::size_t parent = 0;      ///< which node of the level above; 0 on the first level, below the root
    MatrixWindow covers;         ///< the smallest part of the window that holds all of its subtree
    bool has_entry = true;       ///< false: no entry of the matrix lies below, all of it is padding
    bool operator==(const CoordinateNode&) const = default;
};

struct CoordinateLevel {
    StorageLevel shape;
    std::vector<CoordinateNode> nodes; ///< in the order of their positions
    std::vector<std::int64_t> pos;     ///< compressed levels only, as in PackedLevel
    std::vector<std::int64_t> crd;     ///< compressed levels only: the coordinates of `nodes`
    std::int64_t left_out = 0;         ///< nodes that the limit cut off, all of them after `nodes`
};

/// `window` stored as if it were a matrix of its own, but for the coordinates, which stay those of the whole.
struct CoordinateTree {
    MatrixWindow window;
    std::vector<CoordinateLevel> levels;
    std::vector<float> values;  ///< one for each node of the last level; 0 where it is padding
    std::int64_t left_out = 0;  ///< nodes, on all levels together
    std::int64_t entries = 0;   ///< of the matrix in the window
    std::int64_t positions = 0; ///< values that the window takes, those left out included
};

/// A window of at most this size that holds the place; it starts and ends between blocks where they are no
/// larger than the window.
[[nodiscard]] MatrixWindow window_at(const StorageFormat& format, std::int64_t row, std::int64_t column,
                                     std::int64_t rows, std::int64_t columns);

/// The window at the first entry; at the first row and column where there is none.
[[nodiscard]] MatrixWindow first_window(const CsrPattern& pattern, const StorageFormat& format,
                                        std::int64_t rows, std::int64_t columns);

/// Of the window as far as it lies in the matrix, at most largest_tree_window a side. It has at most
/// max_nodes nodes: the first ones, each after its parent and after the subtrees of its elder siblings. Takes
/// time in the window's size, not in the matrix's. The format is one of the pattern's.
[[nodiscard]] CoordinateTree coordinate_tree(const CsrPattern& pattern, const StorageFormat& format,
                                             const MatrixWindow& window, std::size_t max_nodes = 400);

} // namespace sparsight
