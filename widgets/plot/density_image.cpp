#include "widgets/plot/density_image.h"

#include "widgets/look/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sparsight {

namespace {

/// A colour by perceived lightness (0 … 1), chroma and hue in degrees: Oklab in polar form (Ottosson, "A
/// perceptual color space for image processing", 2020).
struct Oklch {
    double lightness = 0;
    double chroma = 0;
    double hue = 0;
};

int channel(double linear) {
    const double clamped = std::clamp(linear, 0.0, 1.0);
    const double encoded =
        clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * encoded));
}

QRgb to_rgb(const Oklch& colour) {
    const double angle = colour.hue * std::numbers::pi / 180;
    const double a = colour.chroma * std::cos(angle);
    const double b = colour.chroma * std::sin(angle);
    const double l = std::pow(colour.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(colour.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(colour.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return qRgb(channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

struct Scale {
    QRgb background = 0;
    Oklch lowest;
    Oklch highest;
};

/// On white, blues that get darker; on black, from blue to a pale yellow. Orange is left out because it means
/// "slower".
Scale scale_of(PlotTheme theme) {
    if (theme == PlotTheme::Light)
        return {qRgb(255, 255, 255), {0.76, 0.10, 225}, {0.25, 0.09, 280}};
    return {qRgb(18, 20, 24), {0.48, 0.13, 265}, {0.96, 0.09, 110}};
}

QRgb mixed(QRgb from, QRgb to, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return qRgb(mix(qRed(from), qRed(to)), mix(qGreen(from), qGreen(to)), mix(qBlue(from), qBlue(to)));
}

} // namespace

DensityColours::DensityColours(PlotTheme theme, double fullest)
    : fullest_(fullest > 1 ? fullest : 1) {
    const auto [background, lowest, highest] = scale_of(theme);
    background_ = background;
    for (std::size_t i = 0; i < scale_.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(scale_.size() - 1);
        scale_[i] = to_rgb({std::lerp(lowest.lightness, highest.lightness, share),
                            std::lerp(lowest.chroma, highest.chroma, share),
                            std::lerp(lowest.hue, highest.hue, share)});
    }
}

double DensityColours::position(double count) const {
    if (fullest_ <= 1) // no cell has more than one entry: show single entries with full contrast
        return 1;
    return std::clamp(std::log(count) / std::log(fullest_), 0.0, 1.0);
}

QRgb DensityColours::colour(double count) const {
    if (!(count > 0))
        return background_;
    const double share = position(std::max(count, 1.0)) * static_cast<double>(scale_.size() - 1);
    const QRgb full = scale_[static_cast<std::size_t>(std::lround(share))];
    return count < 1 ? mixed(background_, full, count) : full;
}

std::vector<LegendTick> DensityColours::legend(int wanted, const NumberStyle& style) const {
    const auto label_of = [&style](double count) { return count_text(std::llround(count), style); };
    std::vector<LegendTick> ticks;
    const int powers = static_cast<int>(std::floor(std::log10(fullest_) + 1e-9));
    const int step = std::max(1, (powers + 1) / std::max(1, wanted - 1));
    for (int power = 0; power <= powers; power += step) {
        const double count = std::pow(10, power);
        ticks.push_back({count, position(count), label_of(count)});
    }
    // The fullest cell ends the bar; a power of ten that would collide with it is dropped.
    const double last = ticks.back().count;
    if (last < fullest_) {
        if (ticks.size() > 1 && position(last) > 0.9)
            ticks.pop_back();
        ticks.push_back({fullest_, 1, label_of(fullest_)});
    }
    return ticks;
}

namespace {

std::vector<double> pixel_edges(std::span<const std::int64_t> edges, double begin, double per_pixel) {
    std::vector<double> pixels;
    pixels.reserve(edges.size());
    for (const std::int64_t edge : edges)
        pixels.push_back((static_cast<double>(edge) - begin) / per_pixel);
    return pixels;
}

/// Divides one cell among neighbouring pixels of a row or column of `count` pixels.
class Shares {
public:
    /// to_neighbour: the share of half a pixel's value that goes to the pixel on that side.
    Shares(int count, float to_neighbour)
        : count_(count)
        , to_neighbour_(to_neighbour) {}

    /// Calls add(pixel, share) for the pixels that overlap [from, to). The shares of an interval inside the
    /// image add up to 1.
    template <typename Add>
    void of(double from, double to, const Add& add) {
        if (to_neighbour_ <= 0) {
            by_area(from, to, count_, add);
            return;
        }
        first_ = count_;
        last_ = -1;
        weights_.clear();
        by_area(2 * from, 2 * to, 2 * count_, [this](int half, float share) {
            const int own = half / 2;
            // At the border, the share that would fall outside stays inside.
            const int next = std::clamp(half % 2 == 0 ? own - 1 : own + 1, 0, count_ - 1);
            collect(own, (1 - to_neighbour_) * share);
            collect(next, to_neighbour_ * share);
        });
        for (int pixel = first_; pixel <= last_; ++pixel)
            add(pixel, weights_[static_cast<std::size_t>(pixel - first_)]);
    }

private:
    template <typename Add>
    static void by_area(double from, double to, int count, const Add& add) {
        const double inside_from = std::max(from, 0.0);
        const double inside_to = std::min(to, static_cast<double>(count));
        if (inside_to <= inside_from)
            return;
        const double per_length = 1 / (to - from);
        const int first = std::min(static_cast<int>(inside_from), count - 1);
        const int last = std::clamp(static_cast<int>(std::ceil(inside_to)) - 1, first, count - 1);
        for (int pixel = first; pixel <= last; ++pixel) {
            const double overlap = std::min(inside_to, pixel + 1.0) - std::max<double>(inside_from, pixel);
            add(pixel, static_cast<float>(overlap * per_length));
        }
    }

    void collect(int pixel, float share) {
        if (weights_.empty())
            first_ = std::max(pixel - 1, 0); // the neighbour of the first half pixel may come before it
        last_ = std::max(last_, pixel);
        weights_.resize(std::max(weights_.size(), static_cast<std::size_t>(last_ - first_) + 1));
        weights_[static_cast<std::size_t>(pixel - first_)] += share;
    }

    int count_;
    float to_neighbour_;
    int first_ = 0;
    int last_ = -1;
    std::vector<float> weights_;
};

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

    /// The bits of a positive float are in the same order as its logarithm.
    static std::size_t step(float value) {
        return (std::bit_cast<std::uint32_t>(value) - one_bits) >> step_bits;
    }

    std::array<QRgb, 256> below_one_{};
    std::vector<QRgb> above_one_;
};

std::vector<float> resampled(const PatternCounts& counts, const RasterTarget& target, Shares across_shares,
                             Shares down_shares) {
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
            across_shares.of(across[cell], across[cell + 1], [&line, count](int x, float share) {
                line[static_cast<std::size_t>(x)] += count * share;
            });
        }
        down_shares.of(down[row], down[row + 1], [&](int y, float share) {
            float* const to = pixels.data() + static_cast<std::size_t>(y) * width;
            for (std::size_t x = 0; x < width; ++x)
                to[x] += line[x] * share;
        });
    }
    return pixels;
}

/// A quarter gives the weights 1 3 3 1 over half pixels, which remove patterns that repeat about once per
/// pixel: sharing by area alone leaves part of this moiré. The moiré is visible where a pixel has few
/// entries. Where it has many, the logarithmic colour scale would show mostly the blur of smoothing.
double smoothing(double cells_per_pixel) {
    if (cells_per_pixel <= 1)
        return 0;
    return 0.25 * std::clamp((coarse_pixels - cells_per_pixel) / (coarse_pixels - 4), 0.0, 1.0);
}

} // namespace

std::vector<float> entries_per_pixel(const PatternCounts& counts, const RasterTarget& target) {
    return resampled(counts, target, Shares(target.width, 0), Shares(target.height, 0));
}

std::vector<float> density_values(const PatternCounts& counts, const RasterTarget& target) {
    const auto shares = [](int count, double per_pixel) {
        return Shares(count, static_cast<float>(smoothing(per_pixel)));
    };
    std::vector<float> values = resampled(counts, target, shares(target.width, target.cols_per_pixel),
                                          shares(target.height, target.rows_per_pixel));
    const double cells_per_pixel =
        std::min(target.cols_per_pixel, 1.0) * std::min(target.rows_per_pixel, 1.0);
    if (cells_per_pixel < 1)
        for (float& value : values)
            value = static_cast<float>(value / cells_per_pixel);
    return values;
}

std::vector<float> cell_values(const PatternCounts& counts, const RasterTarget& target) {
    const auto width = static_cast<std::size_t>(target.width);
    std::vector<float> values(width * static_cast<std::size_t>(target.height));
    if (counts.empty())
        return values;
    constexpr std::size_t outside = SIZE_MAX;
    const auto cells_of = [outside](std::span<const std::int64_t> edges, double begin, double per_pixel,
                                    int pixels) {
        std::vector<std::size_t> cells;
        for (int pixel = 0; pixel < pixels; ++pixel) {
            const auto after =
                std::ranges::upper_bound(edges, begin + (pixel + 0.5) * per_pixel, {},
                                         [](std::int64_t edge) { return static_cast<double>(edge); });
            const bool inside = after != edges.begin() && after != edges.end();
            cells.push_back(inside ? static_cast<std::size_t>(after - edges.begin()) - 1 : outside);
        }
        return cells;
    };
    const auto across = cells_of(counts.col_edges, target.left, target.cols_per_pixel, target.width);
    const auto down = cells_of(counts.row_edges, target.top, target.rows_per_pixel, target.height);
    const std::size_t cells = counts.col_edges.size() - 1;
    for (std::size_t y = 0; y < down.size(); ++y)
        for (std::size_t x = 0; x < across.size(); ++x)
            if (down[y] != outside && across[x] != outside)
                values[y * width + x] = static_cast<float>(counts.counts[down[y] * cells + across[x]]);
    return values;
}

double colour_scale_end(std::span<const float> values) {
    const double largest = values.empty() ? 0.0 : static_cast<double>(*std::ranges::max_element(values));
    constexpr double rounding = 0.999; // sums of shares may be slightly above the whole number
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
