#include "base/milliseconds.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// As many as show so many significant digits of the number, which is not 0.
int decimals_for(double value, int digits) {
    // The rounding may carry into a further digit: 9.9996 is 10.00.
    const double rounded = std::stod(fmt::format("{:.{}e}", std::abs(value), digits - 1));
    return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(rounded))));
}

constexpr int time_digits = 4;

} // namespace

std::string format_milliseconds(double milliseconds) {
    if (milliseconds == 0 || !std::isfinite(milliseconds))
        return fmt::format("{}", milliseconds);
    return fmt::format("{:.{}f}", milliseconds, decimals_for(milliseconds, time_digits));
}

std::string format_spread(double spread_ms, double of_ms) {
    if (of_ms == 0 || !std::isfinite(spread_ms) || !std::isfinite(of_ms))
        return format_milliseconds(spread_ms);
    const int decimals = decimals_for(of_ms, time_digits);
    const bool vanishes = spread_ms != 0 && std::abs(spread_ms) < 0.5 * std::pow(10.0, -decimals);
    return fmt::format("{:.{}f}", spread_ms, vanishes ? decimals_for(spread_ms, 1) : decimals);
}

} // namespace sparsight
