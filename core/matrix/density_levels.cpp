#include "matrix/density_levels.h"

#include "base/parallel.h"
#include "matrix/row_shares.h"

#include <bit>

namespace sparsight {

namespace {

std::int64_t divide_up(std::int64_t value, std::int64_t divisor) {
    return (value + divisor - 1) / divisor;
}

DensityLevel empty_level(std::int64_t rows, std::int64_t cols, std::int64_t cell_rows,
                         std::int64_t cell_cols) {
    DensityLevel level{cell_rows, cell_cols, divide_up(rows, cell_rows), divide_up(cols, cell_cols), {}};
    level.counts.resize(static_cast<std::size_t>(level.height * level.width));
    return level;
}

std::int64_t finest_cell(std::int64_t extent) {
    return static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(divide_up(extent, finest_cells))));
}

DensityLevel build_finest(const CsrPattern& pattern, int threads) {
    DensityLevel level =
        empty_level(pattern.rows, pattern.cols, finest_cell(pattern.rows), finest_cell(pattern.cols));
    const int shift = std::countr_zero(static_cast<std::uint64_t>(level.cell_cols));
    // A share is one row of cells, so that no two threads count into the same cell.
    RowShares shares(pattern.rows, level.cell_rows);
    parallel_parts(threads, threads, [&](int, std::int64_t, std::int64_t) {
        while (const auto share = shares.next()) {
            std::uint32_t* const cells = level.counts.data() + share->begin / level.cell_rows * level.width;
            for (std::int64_t e = pattern.row_pointers[static_cast<std::size_t>(share->begin)];
                 e < pattern.row_pointers[static_cast<std::size_t>(share->end)]; ++e)
                ++cells[pattern.column_ids[static_cast<std::size_t>(e)] >> shift];
        }
    });
    return level;
}

DensityLevel coarsen(const DensityLevel& fine) {
    DensityLevel level{
        2 * fine.cell_rows, 2 * fine.cell_cols, divide_up(fine.height, 2), divide_up(fine.width, 2), {}};
    level.counts.resize(static_cast<std::size_t>(level.height * level.width));
    for (std::int64_t y = 0; y < fine.height; ++y) {
        const std::uint32_t* const from = fine.counts.data() + y * fine.width;
        std::uint32_t* const to = level.counts.data() + y / 2 * level.width;
        for (std::int64_t x = 0; x < fine.width; ++x)
            to[x / 2] += from[x];
    }
    return level;
}

} // namespace

std::vector<DensityLevel> build_density_levels(const CsrPattern& pattern, int threads) {
    std::vector<DensityLevel> levels;
    if (pattern.rows == 0 || pattern.cols == 0)
        return levels;
    levels.push_back(build_finest(pattern, threads));
    while (levels.back().height > 1 || levels.back().width > 1)
        levels.push_back(coarsen(levels.back()));
    return levels;
}

} // namespace sparsight
