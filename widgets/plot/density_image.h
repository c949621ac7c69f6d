// Images of matrix cells: the number of nonzeros per cell or pixel, resampled without moiré, on a logarithmic
// colour scale.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/plot/pattern_source.h"

#include <QColor>
#include <QImage>
#include <QString>
#include <array>
#include <span>
#include <vector>

namespace sparsight {

enum class PlotTheme { Light, Dark };

/// A tick beside the colour bar.
struct LegendTick {
    double count = 0;
    double position = 0; ///< along the bar: 0 is one entry per cell, 1 the fullest cell
    QString label;       ///< "1", "100", "10 000"
};

/// Colours at equal steps in perceived lightness, away from the background: darker in the light theme,
/// brighter in the dark one. A single entry in a cell is already clearly visible; fractions of an entry (a
/// cell that a pixel covers partly) fade into the background.
class DensityColours {
public:
    /// fullest: the count of the fullest cell; values below 1 count as 1.
    DensityColours(PlotTheme theme, double fullest);

    /// Negative counts and NaN have the background's colour, counts above the fullest have its colour.
    [[nodiscard]] QRgb colour(double count) const;
    [[nodiscard]] QRgb background() const { return background_; }
    [[nodiscard]] double fullest() const { return fullest_; }

    /// Powers of ten and the fullest count, ascending, at most about `wanted` ticks (at least 2).
    [[nodiscard]] std::vector<LegendTick> legend(int wanted = 6, const NumberStyle& style = {}) const;

private:
    [[nodiscard]] double position(double count) const;

    double fullest_ = 1;
    QRgb background_ = 0;
    std::array<QRgb, 256> scale_{};
};

/// The part of the matrix that the pixels show: pixel (x, y) covers columns left + [x, x + 1) ·
/// cols_per_pixel and rows top + [y, y + 1) · rows_per_pixel.
struct RasterTarget {
    int width = 0;
    int height = 0;
    double left = 0;
    double top = 0;
    double cols_per_pixel = 1;
    double rows_per_pixel = 1;
};

/// From this many rows or columns per pixel on, pixels are not smoothed in that direction.
inline constexpr double coarse_pixels = 12;

/// The number of entries in each pixel, row by row: each cell's count is divided by area, so that no entry is
/// lost or drawn twice and an evenly filled matrix gives even pixels at every size.
[[nodiscard]] std::vector<float> entries_per_pixel(const PatternCounts& counts, const RasterTarget& target);

/// The values to draw: in directions in which a cell is larger than a pixel, entries per cell with sharp
/// edges; in the others, entries per pixel. Pixels that cover few cells are slightly smoothed, so that
/// regular patterns finer than pixels show no moiré.
[[nodiscard]] std::vector<float> density_values(const PatternCounts& counts, const RasterTarget& target);

/// Each pixel has the count of the cell that contains its centre, which gives sharp squares. For cells of one
/// row and one column that are several pixels large.
[[nodiscard]] std::vector<float> cell_values(const PatternCounts& counts, const RasterTarget& target);

/// The end of the colour scale: the smallest of 1, 2, 5, 10, … that is not below the largest value, so that
/// it does not change with every step of the mouse. 1 where no value is above 1.
[[nodiscard]] double colour_scale_end(std::span<const float> values);

[[nodiscard]] QImage density_image(std::span<const float> values, int width, int height,
                                   const DensityColours& colours);

} // namespace sparsight
