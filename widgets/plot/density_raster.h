// Counts in cells of uneven size, drawn as pixels without moiré.
#pragma once

#include "widgets/plot/density_colours.h"
#include "widgets/plot/pattern_source.h"

#include <QImage>
#include <span>
#include <vector>

namespace sparsight {

/// Which part of the matrix the pixels show: pixel (x, y) covers columns left + [x, x + 1) · cols_per_pixel
/// and rows top + [y, y + 1) · rows_per_pixel.
struct RasterTarget {
    int width = 0;
    int height = 0;
    double left = 0;
    double top = 0;
    double cols_per_pixel = 1;
    double rows_per_pixel = 1;
};

/// From so many rows or columns a pixel on, pixels are not smoothed in that direction.
inline constexpr double coarse_pixels = 12;

/// How many entries lie in each pixel, row by row: each cell's count is shared out by area, so that no entry
/// is lost or drawn twice and an evenly filled matrix gives even pixels at every size.
[[nodiscard]] std::vector<float> entries_per_pixel(const PatternCounts& counts, const RasterTarget& target);

/// What is drawn: entries per cell in directions in which a cell is larger than a pixel, sharp; in the others
/// entries per pixel. Where these cover few cells, they are smoothed a little, so that regular patterns finer
/// than pixels show no moiré.
[[nodiscard]] std::vector<float> density_values(const PatternCounts& counts, const RasterTarget& target);

/// Each pixel has the count of the cell that its middle lies in: sharp squares. For cells of one row and one
/// column that are several pixels large.
[[nodiscard]] std::vector<float> cell_values(const PatternCounts& counts, const RasterTarget& target);

/// The end of the colour scale: 1, 2, 5, 10, … not below the largest value, so that it does not change with
/// every step of the mouse. 1 where no value is above 1.
[[nodiscard]] double colour_scale_end(std::span<const float> values);

[[nodiscard]] QImage density_image(std::span<const float> values, int width, int height,
                                   const DensityColours& colours);

} // namespace sparsight
