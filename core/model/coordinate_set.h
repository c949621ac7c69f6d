// The coordinates of one layer of a sparse network: sorted by row, then column, each once.
#pragma once

#include "matrix/pattern.h"
#include "model/map_buffer.h"

#include <cstdint>

namespace sparsight {

/// Row and column in one number, ordered by row, then column. Rows and columns are below 2^31, so the
/// neighbours that stick out over the border (row or column -1, -2) still compare correctly and equal no
/// coordinate.
[[nodiscard]] constexpr std::int64_t pack_coordinate(std::int64_t row, std::int64_t column) {
    return row * (std::int64_t{1} << 32) + column;
}
[[nodiscard]] constexpr std::int64_t row_of(std::int64_t packed) {
    return packed >> 32;
}
[[nodiscard]] constexpr std::int64_t column_of(std::int64_t packed) {
    return packed & 0xFFFF'FFFF;
}

/// Strictly ascending packed coordinates.
using CoordinateSet = MapBuffer<std::int64_t>;

/// Of `threads`, as many as so many coordinates keep busy for longer than it takes to start them.
[[nodiscard]] int useful_threads(int threads, std::int64_t coordinates);

[[nodiscard]] CoordinateSet coordinates_of(const CsrPattern& pattern, int threads);

/// The unique cells (⌊row / stride⌋, ⌊column / stride⌋): the output coordinates of a layer with that stride.
/// In units of cells, where MinkowskiEngine keeps the units of the first layer and a growing "tensor stride".
/// Linear in the coordinates. `stride` ≥ 1.
[[nodiscard]] CoordinateSet stride_cells(const CoordinateSet& coordinates, int stride, int threads);

} // namespace sparsight
