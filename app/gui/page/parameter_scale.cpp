#include "gui/page/parameter_scale.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr int finest = 400; ///< stops; a handful of pixels for each two of them

double rounded(double value) {
    constexpr int digits = 3;
    const double unit = std::pow(10, std::floor(std::log10(value)) + 1 - digits);
    return std::round(value / unit) * unit;
}

/// Where a range begins at 0, which no factor leads to.
double smallest_above_zero(const ParameterInfo& info) {
    if (is_count(info))
        return 1;
    constexpr double decades = 5;
    return info.highest * std::pow(10, -decades);
}

} // namespace

ParameterScale::ParameterScale(const ParameterInfo& info, double factor) {
    if (info.lowest <= 0)
        stops_.push_back(0);
    const double first = info.lowest > 0 ? info.lowest : smallest_above_zero(info);
    stops_.push_back(first);
    for (int stop = 1; stop < finest; ++stop) {
        const double value = first * std::pow(info.highest / first, static_cast<double>(stop) / finest);
        const double readable = is_count(info) ? std::round(value) : rounded(value / factor) * factor;
        if (readable > stops_.back() && readable < info.highest)
            stops_.push_back(readable);
    }
    stops_.push_back(info.highest);
}

double ParameterScale::value_at(int stop) const {
    return stops_[static_cast<std::size_t>(std::clamp(stop, 0, last_stop()))];
}

int ParameterScale::stop_of(double value) const {
    const auto above = std::ranges::lower_bound(stops_, value);
    if (above == stops_.begin())
        return 0;
    if (above == stops_.end())
        return last_stop();
    const double below = *std::prev(above);
    const bool is_nearer_below = below > 0 && value / below < *above / value;
    return static_cast<int>(above - stops_.begin()) - (is_nearer_below ? 1 : 0);
}

} // namespace sparsight
