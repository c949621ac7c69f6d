#include "widgets/plot/axis_ticks.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

std::int64_t nice_step(double pixels_per_index, double spacing) {
    const double least = spacing / pixels_per_index;
    for (std::int64_t power = 1; power < std::int64_t{1'000'000'000'000}; power *= 10)
        for (const std::int64_t step : {power, 2 * power, 5 * power})
            if (static_cast<double>(step) >= least)
                return step;
    return std::int64_t{1'000'000'000'000};
}

std::vector<AxisTick> axis_ticks(const AxisRange& range, double spacing) {
    std::vector<AxisTick> ticks;
    if (range.count < 1 || range.length <= 0 || range.pixels_per_index <= 0)
        return ticks;
    const std::int64_t step = nice_step(range.pixels_per_index, spacing);
    const auto first = static_cast<std::int64_t>(std::floor(std::max(range.begin, 0.0)));
    for (std::int64_t index = (first + step - 1) / step * step; index < range.count; index += step) {
        const double position = (static_cast<double>(index) + 0.5 - range.begin) * range.pixels_per_index;
        if (position > range.length)
            break;
        if (position >= 0)
            ticks.push_back({index, position});
    }
    return ticks;
}

} // namespace sparsight
