// Counts of entries in the cells of a part of a matrix.
#pragma once

#include "matrix/density_levels.h"

#include <cstdint>
#include <vector>

namespace sparsight {

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

} // namespace sparsight
