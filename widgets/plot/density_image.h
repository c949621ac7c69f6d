// The colour scale of the sparsity plot: how many nonzeros fall into a cell, on a logarithmic scale.
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

/// One mark beside the colour bar.
struct LegendTick {
    double count = 0;
    double position = 0; ///< along the bar: 0 is one entry a cell, 1 the fullest cell
    QString label;       ///< "1", "100", "10 000"
};

/// Colours of equal steps in perceived lightness, away from the background: darker in the light theme,
/// brighter in the dark one. One entry in a cell already stands out; fractions of an entry (a cell that a
/// pixel covers in part) fade into the background.
class DensityColours {
public:
    /// fullest: the count of the fullest cell; below 1 it is taken as 1.
    DensityColours(PlotTheme theme, double fullest);

    /// Negative counts and NaN get the background, counts above the fullest its colour.
    [[nodiscard]] QRgb colour(double count) const;
    [[nodiscard]] QRgb background() const { return background_; }
    [[nodiscard]] double fullest() const { return fullest_; }

    /// Powers of ten and the fullest count, ascending, at most about `wanted` of them (at least 2).
    [[nodiscard]] std::vector<LegendTick> legend(int wanted = 6, const NumberStyle& style = {}) const;

private:
    [[nodiscard]] double position(double count) const;

    double fullest_ = 1;
    QRgb background_ = 0;
    std::array<QRgb, 256> scale_{};
};

// Counts in cells of uneven size, drawn as pixels without moiré.

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
