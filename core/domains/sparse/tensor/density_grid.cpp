#include "domains/sparse/tensor/density_grid.h"

#include "base/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <png.h>

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

namespace {

constexpr int shades = 255; ///< palette entries after the first, which is white

std::size_t cell_of(int pixel, int pixels, std::int64_t cells) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(pixel) * cells / pixels);
}

/// 0 for white, 1 … shades from light to dark.
std::vector<std::uint8_t> palette_indices(const DensityGrid& grid) {
    std::vector<std::uint8_t> indices;
    for (const double darkness : density_darkness(grid))
        indices.push_back(darkness > 0 ? static_cast<std::uint8_t>(1 + std::lround(darkness * (shades - 1)))
                                       : std::uint8_t{0});
    return indices;
}

std::array<png_byte, 3 * (shades + 1)> palette() {
    std::array<png_byte, 3 * (shades + 1)> colours{};
    colours.fill(255);
    for (int shade = 0; shade < shades; ++shade) {
        const Colour colour = density_colour(static_cast<double>(shade) / (shades - 1));
        const auto place = static_cast<std::size_t>(3 * (shade + 1));
        colours[place] = colour.red;
        colours[place + 1] = colour.green;
        colours[place + 2] = colour.blue;
    }
    return colours;
}

} // namespace

Colour density_colour(double darkness) {
    // CIELAB lightness 80, 62, 44, 26, 8: equal steps, of one hue.
    constexpr std::array<std::array<double, 3>, 5> stops{
        {{166, 206, 241}, {84, 157, 214}, {28, 106, 178}, {13, 61, 110}, {5, 24, 46}}};
    const double place = std::clamp(darkness, 0.0, 1.0) * (stops.size() - 1);
    const auto lower = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    const double share = place - static_cast<double>(lower);
    const auto mix = [&](std::size_t channel) {
        return static_cast<std::uint8_t>(
            std::lround(stops[lower][channel] * (1 - share) + stops[lower + 1][channel] * share));
    };
    return {mix(0), mix(1), mix(2)};
}

std::vector<double> density_darkness(const DensityGrid& grid) {
    std::vector<double> darkness(grid.counts.size());
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    std::size_t cell = 0;
    for (std::size_t y = 0; y + 1 < grid.row_edges.size(); ++y)
        for (std::size_t x = 0; x + 1 < grid.col_edges.size(); ++x, ++cell) {
            const auto area = static_cast<double>(grid.row_edges[y + 1] - grid.row_edges[y]) *
                              static_cast<double>(grid.col_edges[x + 1] - grid.col_edges[x]);
            darkness[cell] = grid.counts[cell] / area;
            most = std::max(most, darkness[cell]);
            if (darkness[cell] > 0)
                least = std::min(least, darkness[cell]);
        }
    for (double& value : darkness)
        value = value > 0 ? std::log1p(value / least) / std::log1p(most / least) : 0;
    return darkness;
}

Result<std::vector<std::byte>> density_png(const DensityGrid& grid, int width, int height) {
    constexpr int most_pixels = 16'384;
    if (width < 1 || height < 1 || width > most_pixels || height > most_pixels)
        return fail(Fault::Input,
                    fmt::format("a picture of {} × {} pixels was asked for; 1 to {} are possible "
                                "in each direction",
                                width, height, most_pixels));
    if (grid.width() > width || grid.height() > height)
        return fail(Fault::Input, fmt::format("{} × {} cells do not fit a picture of {} × {} pixels",
                                              grid.width(), grid.height(), width, height));
    const std::vector<std::uint8_t> indices = palette_indices(grid);
    const auto across = static_cast<std::size_t>(width);
    std::vector<png_byte> pixels(across * static_cast<std::size_t>(height));
    if (!grid.empty())
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                pixels[static_cast<std::size_t>(y) * across + static_cast<std::size_t>(x)] =
                    indices[cell_of(y, height, grid.height()) * static_cast<std::size_t>(grid.width()) +
                            cell_of(x, width, grid.width())];

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = shades + 1;
    const auto colours = palette();
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::vector<std::byte> file(bytes);
    const int written =
        png_image_write_to_memory(&image, file.data(), &bytes, 0, pixels.data(), width, colours.data());
    const std::string problem = image.message;
    png_image_free(&image);
    if (written == 0)
        return fail(Fault::Internal, fmt::format("the picture could not be written: {}", problem));
    file.resize(bytes);
    return file;
}

} // namespace sparsight
