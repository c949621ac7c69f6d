#include "matrix/density_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <png.h>

namespace sparsight {

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
