#include "gui/page/parameter_scale.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

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

ParameterScale::ParameterScale(const ParameterInfo& info, double factor)
    : factor_(factor)
    , lowest_(info.lowest > 0 ? info.lowest : smallest_above_zero(info))
    , highest_(info.highest)
    , has_zero_(info.lowest <= 0)
    , counts_(is_count(info)) {}

double ParameterScale::value_at(int stop) const {
    if (has_zero_ && stop <= 0)
        return 0;
    if (stop <= 0 || stop >= last_stop) // the ends are no round numbers
        return stop <= 0 ? lowest_ : highest_;
    const double share = static_cast<double>(stop) / last_stop;
    const double value = lowest_ * std::pow(highest_ / lowest_, share);
    return std::clamp(counts_ ? std::round(value) : rounded(value / factor_) * factor_, lowest_, highest_);
}

int ParameterScale::stop_of(double value) const {
    if (value < lowest_)
        return 0;
    const double share = std::log(value / lowest_) / std::log(highest_ / lowest_);
    const int stop = static_cast<int>(std::lround(share * last_stop));
    return std::clamp(stop, has_zero_ ? 1 : 0, last_stop);
}

} // namespace sparsight
