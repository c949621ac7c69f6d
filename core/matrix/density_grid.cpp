#include "matrix/density_grid.h"

#include "base/parallel.h"

#include <algorithm>

namespace sparsight {

std::vector<std::int64_t> divide_evenly(std::int64_t begin, std::int64_t end, std::int64_t count,
                                        std::int64_t cell) {
    std::vector<std::int64_t> edges{begin};
    for (std::int64_t part = 1; part < count; ++part) {
        const std::int64_t scaled = begin * count + (end - begin) * part;
        edges.push_back((2 * scaled + count * cell) / (2 * count * cell) * cell);
    }
    edges.push_back(end);
    return edges;
}

DensityGrid sum_level(const DensityLevel& level, const Viewport& viewport, std::int64_t width,
                      std::int64_t height, int threads) {
    DensityGrid grid;
    grid.row_edges = divide_evenly(viewport.row_begin, viewport.row_end, height, level.cell_rows);
    grid.col_edges = divide_evenly(viewport.col_begin, viewport.col_end, width, level.cell_cols);
    grid.counts.resize(static_cast<std::size_t>(width * height));
    // Rounded up, since the matrix's border cuts the last cell.
    const auto cell = [](std::int64_t edge, std::int64_t size) { return (edge + size - 1) / size; };
    std::vector<std::int64_t> cell_edges;
    for (const std::int64_t edge : grid.col_edges)
        cell_edges.push_back(cell(edge, level.cell_cols));
    parallel_parts(threads, height, [&](int, std::int64_t begin, std::int64_t end) {
        for (auto y = static_cast<std::size_t>(begin); y < static_cast<std::size_t>(end); ++y) {
            std::uint32_t* const counts = grid.counts.data() + y * static_cast<std::size_t>(width);
            for (std::int64_t row = cell(grid.row_edges[y], level.cell_rows);
                 row < cell(grid.row_edges[y + 1], level.cell_rows); ++row) {
                const std::uint32_t* const cells = level.counts.data() + row * level.width;
                for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x)
                    for (std::int64_t c = cell_edges[x]; c < cell_edges[x + 1]; ++c)
                        counts[x] += cells[c];
            }
        }
    });
    return grid;
}

DensityGrid overview(const CsrPattern& pattern, std::int64_t width, std::int64_t height, int threads) {
    const std::vector<DensityLevel> levels = build_density_levels(pattern, threads);
    if (levels.empty() || width < 1 || height < 1)
        return {};
    const DensityLevel* level = &levels.front();
    for (const DensityLevel& coarser : levels)
        if (coarser.cell_rows * height <= pattern.rows && coarser.cell_cols * width <= pattern.cols)
            level = &coarser;
    // Cells that the border cuts must not become parts of their own.
    return sum_level(*level, {0, pattern.rows, 0, pattern.cols},
                     std::min(width, std::max<std::int64_t>(1, pattern.cols / level->cell_cols)),
                     std::min(height, std::max<std::int64_t>(1, pattern.rows / level->cell_rows)), threads);
}

} // namespace sparsight
