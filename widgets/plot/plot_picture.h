// The picture of a part of a matrix, made away from the screen's thread.
#pragma once

#include "widgets/plot/density_colours.h"
#include "widgets/plot/pattern_source.h"
#include "widgets/plot/plot_view.h"

#include <QImage>
#include <cstdint>
#include <vector>

namespace sparsight {

/// What the colours count: entries in a cell of the matrix, or in a pixel where it covers several.
enum class DensityUnit { Cell, Pixel, ColumnAndPixelRow, RowAndPixelColumn };

/// A place in the matrix with entries in it; more than one where the pattern has duplicates.
struct PlotCell {
    std::int32_t row = 0;
    std::int32_t col = 0;
    std::uint32_t count = 1;
    bool operator==(const PlotCell&) const = default;
};

/// Either pixels or, zoomed in far enough, the single entries, which stay sharp at any size.
struct PlotPicture {
    PlotRect region;             ///< what it shows
    QImage image;                ///< null when it is made of cells
    std::vector<PlotCell> cells; ///< by ascending count
    DensityUnit unit = DensityUnit::Cell;
    PlotTheme theme = PlotTheme::Light;
    double fullest = 1;  ///< the end of the colour scale
    bool is_fine = true; ///< a finer request would not make it better
};

/// Quick is for moving pictures: about one counted cell a pixel. Fine counts two in each direction at least
/// where moiré would be seen otherwise.
enum class PictureQuality { Quick, Fine };

struct PictureRequest {
    PlotView view;
    double device_pixel_ratio = 1;
    double margin = 0; ///< logical pixels around the viewport, so that a drag does not show an empty border
    PlotTheme theme = PlotTheme::Light;
    PictureQuality quality = PictureQuality::Fine;
};

/// From this many logical pixels a cell on, entries are sharp squares.
inline constexpr double single_entry_pixels = 5;

[[nodiscard]] PlotPicture render_picture(const PatternSource& source, const PictureRequest& request);

/// The whole matrix in `size`, square cells unless it is much longer in one direction, nothing around it:
/// transparent where it does not reach.
[[nodiscard]] QImage thumbnail(const PatternSource& source, QSize size, PlotTheme theme,
                               double device_pixel_ratio = 1);

} // namespace sparsight
