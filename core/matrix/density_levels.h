// How many entries lie in each cell of ever coarser grids over a pattern.
#pragma once

#include "matrix/pattern.h"

#include <cstdint>
#include <vector>

namespace sparsight {

/// One grid. Cell (y, x) covers rows [y · cell_rows, (y + 1) · cell_rows) and the columns likewise, cut off
/// by the matrix's border; cell sizes are powers of two.
struct DensityLevel {
    std::int64_t cell_rows = 1;
    std::int64_t cell_cols = 1;
    std::int64_t height = 0; ///< cells from top to bottom: ⌈rows / cell_rows⌉
    std::int64_t width = 0;
    std::vector<std::uint32_t> counts; ///< height · width, row by row
};

/// The finest level has at most this many cells in each direction.
inline constexpr std::int64_t finest_cells = 2048;

/// Finest first, each with cells of twice the height and width of the one before, down to a single cell; none
/// for a pattern without rows or columns. The finest has one cell a row (column) where there are at most
/// finest_cells of them. One pass over the entries. nnz must be below 2^32.
[[nodiscard]] std::vector<DensityLevel> build_density_levels(const CsrPattern& pattern, int threads);

} // namespace sparsight
