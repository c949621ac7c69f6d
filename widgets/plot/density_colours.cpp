#include "widgets/plot/density_colours.h"

#include "widgets/look/number_text.h"

#include <algorithm>
#include <cmath>
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

/// Blues that get darker on white; on black from blue to a pale yellow. Orange is left out: it means "lost".
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
    if (fullest_ <= 1) // no cell holds more than one entry: show them with full contrast
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
    // The fullest cell ends the bar; a power of ten that would collide with it gives way.
    const double last = ticks.back().count;
    if (last < fullest_) {
        if (ticks.size() > 1 && position(last) > 0.9)
            ticks.pop_back();
        ticks.push_back({fullest_, 1, label_of(fullest_)});
    }
    return ticks;
}

} // namespace sparsight
