#include "widgets/plot/density_raster.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sparsight {

namespace {

std::vector<double> pixel_edges(std::span<const std::int64_t> edges, double begin, double per_pixel) {
    std::vector<double> pixels;
    pixels.reserve(edges.size());
    for (const std::int64_t edge : edges)
        pixels.push_back((static_cast<double>(edge) - begin) / per_pixel);
    return pixels;
}

/// Calls add(pixel, share) for the pixels 0 … count − 1 that [from, to) covers; the share of the interval
/// that falls into them adds up to 1 if it lies inside.
template <typename Add>
void share_out(double from, double to, int count, const Add& add) {
    const double inside_from = std::max(from, 0.0);
    const double inside_to = std::min(to, static_cast<double>(count));
    if (inside_to <= inside_from)
        return;
    const double per_length = 1 / (to - from);
    const int first = std::min(static_cast<int>(inside_from), count - 1);
    const int last = std::clamp(static_cast<int>(std::ceil(inside_to)) - 1, first, count - 1);
    if (first == last) {
        add(first, static_cast<float>((inside_to - inside_from) * per_length));
        return;
    }
    add(first, static_cast<float>((first + 1 - inside_from) * per_length));
    const auto inner = static_cast<float>(per_length);
    for (int pixel = first + 1; pixel < last; ++pixel)
        add(pixel, inner);
    add(last, static_cast<float>((inside_to - last) * per_length));
}

/// colour(count) as a table: 256 steps below 1, 128 steps for each doubling above.
class ColourTable {
public:
    explicit ColourTable(const DensityColours& colours) {
        for (std::size_t i = 0; i < below_one_.size(); ++i)
            below_one_[i] = colours.colour(static_cast<double>(i) / 256);
        const std::size_t steps = step(static_cast<float>(colours.fullest())) + 1;
        for (std::size_t i = 0; i < steps; ++i) {
            const auto bits = static_cast<std::uint32_t>(i << step_bits) + one_bits;
            above_one_.push_back(colours.colour(std::bit_cast<float>(bits)));
        }
    }

    [[nodiscard]] QRgb colour(float value) const {
        if (value < 1)
            return below_one_[static_cast<std::size_t>(std::max(value, 0.0F) * 256)];
        return above_one_[std::min(step(value), above_one_.size() - 1)];
    }

private:
    static constexpr int step_bits = 16;
    static constexpr std::uint32_t one_bits = std::bit_cast<std::uint32_t>(1.0F);

    /// The bits of a positive float ascend as its logarithm does.
    static std::size_t step(float value) {
        return (std::bit_cast<std::uint32_t>(value) - one_bits) >> step_bits;
    }

    std::array<QRgb, 256> below_one_{};
    std::vector<QRgb> above_one_;
};

} // namespace

std::vector<float> entries_per_pixel(const PatternCounts& counts, const RasterTarget& target) {
    const auto width = static_cast<std::size_t>(target.width);
    std::vector<float> pixels(width * static_cast<std::size_t>(target.height));
    if (counts.empty())
        return pixels;
    const std::vector<double> across = pixel_edges(counts.col_edges, target.left, target.cols_per_pixel);
    const std::vector<double> down = pixel_edges(counts.row_edges, target.top, target.rows_per_pixel);
    const std::size_t cells = across.size() - 1;
    std::vector<float> line(width);
    for (std::size_t row = 0; row + 1 < down.size(); ++row) {
        const std::uint32_t* const cell_counts = counts.counts.data() + row * cells;
        if (std::all_of(cell_counts, cell_counts + cells, [](std::uint32_t count) { return count == 0; }))
            continue;
        std::ranges::fill(line, 0.0F);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            if (cell_counts[cell] == 0)
                continue;
            const auto count = static_cast<float>(cell_counts[cell]);
            share_out(across[cell], across[cell + 1], target.width, [&line, count](int x, float share) {
                line[static_cast<std::size_t>(x)] += count * share;
            });
        }
        share_out(down[row], down[row + 1], target.height, [&](int y, float share) {
            float* const to = pixels.data() + static_cast<std::size_t>(y) * width;
            for (std::size_t x = 0; x < width; ++x)
                to[x] += line[x] * share;
        });
    }
    return pixels;
}

std::vector<float> density_values(const PatternCounts& counts, const RasterTarget& target) {
    std::vector<float> values = entries_per_pixel(counts, target);
    const double cells_per_pixel =
        std::min(target.cols_per_pixel, 1.0) * std::min(target.rows_per_pixel, 1.0);
    if (cells_per_pixel < 1)
        for (float& value : values)
            value = static_cast<float>(value / cells_per_pixel);
    return values;
}

double colour_scale_end(std::span<const float> values) {
    const double largest = values.empty() ? 0.0 : static_cast<double>(*std::ranges::max_element(values));
    constexpr double rounding = 0.999; // sums of shares are a little above the whole number at times
    for (double power = 1; power < 1e12; power *= 10)
        for (const double end : {power, 2 * power, 5 * power})
            if (largest * rounding <= end)
                return end;
    return 1e12;
}

QImage density_image(std::span<const float> values, int width, int height, const DensityColours& colours) {
    const ColourTable table(colours);
    QImage image(width, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const float* const from =
            values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
        for (int x = 0; x < width; ++x)
            line[x] = table.colour(from[x]);
    }
    return image;
}

} // namespace sparsight
