#include "evaluation/svg_axis.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Multiples of 1, 2 or 5 times a power of ten, about five of them.
std::vector<double> round_numbers(double lowest, double highest) {
    const double rough = (highest - lowest) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double ratio = rough / power;
    const double step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    std::vector<double> numbers;
    // Counted in whole steps: sums of steps would miss 0 by a rounding error.
    for (double count = std::ceil(lowest / step - 1e-9); count * step <= highest + 1e-9 * step; ++count)
        numbers.push_back(count * step);
    return numbers;
}

std::vector<double> powers(double base, double lowest, double highest) {
    std::vector<double> numbers;
    const double first = std::ceil(std::log(lowest) / std::log(base) - 1e-9);
    const double last = std::floor(std::log(highest) / std::log(base) + 1e-9);
    const double stride = std::max(1.0, std::ceil((last - first) / 8));
    for (double exponent = std::ceil(first / stride) * stride; exponent <= last; exponent += stride)
        numbers.push_back(std::pow(base, exponent));
    return numbers;
}

} // namespace

SvgAxis SvgAxis::linear(double lowest, double highest, double from, double to) {
    SvgAxis axis;
    if (!(highest > lowest)) {
        const double margin = lowest == 0 ? 1 : std::abs(lowest) * 0.1;
        highest = lowest + margin;
        lowest -= margin;
    }
    axis.lowest_ = lowest;
    axis.highest_ = highest;
    axis.from_ = from;
    axis.to_ = to;
    axis.ticks_ = round_numbers(lowest, highest);
    return axis;
}

SvgAxis SvgAxis::logarithmic(double lowest, double highest, double from, double to) {
    if (!(highest > lowest * 1.0001)) {
        highest = lowest * 1.1;
        lowest /= 1.1;
    }
    SvgAxis axis;
    axis.is_logarithmic_ = true;
    axis.lowest_ = std::log(lowest);
    axis.highest_ = std::log(highest);
    axis.from_ = from;
    axis.to_ = to;
    const double ratio = highest / lowest;
    axis.ticks_ = ratio < 8      ? round_numbers(lowest, highest)
                  : ratio < 1000 ? powers(2, lowest, highest)
                                 : powers(10, lowest, highest);
    return axis;
}

double SvgAxis::place(double value) const {
    const double scaled = is_logarithmic_ ? std::log(value) : value;
    const double share = std::clamp((scaled - lowest_) / (highest_ - lowest_), 0.0, 1.0);
    return from_ + share * (to_ - from_);
}

} // namespace sparsight
