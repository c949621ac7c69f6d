// Marks of a ruler over rows or columns.
#pragma once

#include <cstdint>
#include <vector>

namespace sparsight {

struct AxisTick {
    std::int64_t index = 0; ///< of the row or column, from 0
    double position = 0;    ///< its middle, in pixels from the ruler's begin
};

/// What a ruler covers: `begin` is the matrix coordinate at pixel 0 of `length`.
struct AxisRange {
    double begin = 0;
    double pixels_per_index = 1;
    double length = 0;
    std::int64_t count = 0; ///< rows or columns of the matrix
};

/// The least of 1, 2, 5, 10, 20, 50, … whose marks are at least `spacing` pixels apart.
[[nodiscard]] std::int64_t nice_step(double pixels_per_index, double spacing);

/// Multiples of the nice step that are visible.
[[nodiscard]] std::vector<AxisTick> axis_ticks(const AxisRange& range, double spacing);

} // namespace sparsight
