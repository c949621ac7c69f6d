// How many entries lie in each cell of a grid over a pattern or a part of it, in ever coarser levels, and
// the picture of such a grid.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstddef>
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

/// Rows [row_begin, row_end) and columns [col_begin, col_end).
struct Viewport {
    std::int64_t row_begin = 0;
    std::int64_t row_end = 0;
    std::int64_t col_begin = 0;
    std::int64_t col_end = 0;
    bool operator==(const Viewport&) const = default;
};

/// counts[y · width() + x] is exactly the number of entries with row in [row_edges[y], row_edges[y + 1]) and
/// column in [col_edges[x], col_edges[x + 1]). Cells differ a little in size where the resolution does not
/// divide the viewport: what is drawn should be a count over its cell's area.
struct DensityGrid {
    std::vector<std::int64_t> row_edges; ///< height() + 1, strictly ascending; none in an empty grid
    std::vector<std::int64_t> col_edges;
    std::vector<std::uint32_t> counts;

    [[nodiscard]] std::int64_t height() const { return static_cast<std::int64_t>(row_edges.size()) - 1; }
    [[nodiscard]] std::int64_t width() const { return static_cast<std::int64_t>(col_edges.size()) - 1; }
    [[nodiscard]] bool empty() const { return counts.empty(); }
};

/// The edges of `count` parts of [begin, end). Inner edges are the multiples of `cell` nearest to an even
/// division; a part must not be smaller than a cell: (end − begin) / count >= cell.
[[nodiscard]] std::vector<std::int64_t> divide_evenly(std::int64_t begin, std::int64_t end,
                                                      std::int64_t count, std::int64_t cell);

/// Sums cells of a level whose cells are no larger than the grid's and on whose borders the viewport lies.
[[nodiscard]] DensityGrid sum_level(const DensityLevel& level, const Viewport& viewport, std::int64_t width,
                                    std::int64_t height, int threads);

/// The whole matrix in at most width × height cells, and at most those of the finest level: for one picture,
/// without building a DensityPyramid. nnz must be below 2^32.
[[nodiscard]] DensityGrid overview(const CsrPattern& pattern, std::int64_t width, std::int64_t height,
                                   int threads);

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    bool operator==(const Colour&) const = default;
};

/// The colour of a cell in a picture for reports: from a light blue (0: almost empty) to nearly black (1:
/// the densest cell), lightness falling evenly, so that the order is visible, also in grey and to
/// colour-blind people. White is kept for cells without entries.
[[nodiscard]] Colour density_colour(double darkness);

/// How dark each cell is drawn, row by row: 0 for no entry; otherwise log(1 + d) / log(1 + d_max), where d is
/// the number of entries over the cell's area, in units of the sparsest cell that holds any.
[[nodiscard]] std::vector<double> density_darkness(const DensityGrid& grid);

/// A PNG of width × height pixels; a grid with fewer cells is enlarged without smoothing, so single entries
/// stay crisp squares. Errors: Input for sizes outside 1 … 16384 or below the grid's, Internal when libpng
/// fails.
[[nodiscard]] Result<std::vector<std::byte>> density_png(const DensityGrid& grid, int width, int height);

} // namespace sparsight
