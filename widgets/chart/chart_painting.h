// The parts of a chart that Qt Charts cannot draw in the way we need: axes with our number texts, bars in the
// thousands, hatching, the legend, the crosshair.
#pragma once

#include "widgets/chart/chart_hover.h"
#include "widgets/chart/chart_layout.h"

#include <cmath>

class QPainter;

namespace sparsight {

struct Theme;

/// Centres a line of one pixel on the pixel.
[[nodiscard]] inline double crisp(double pixel) {
    return std::floor(pixel) + 0.5;
}

struct ChartPicture {
    const ChartContent& content;
    const ChartLayout& layout;
    const ChartFonts& fonts;
    const Theme& theme;
    QRectF rect; ///< the whole chart
};

void paint_chart_grid(QPainter& painter, const ChartPicture& picture);
/// Paints the bands around lines, beneath the lines.
void paint_chart_bands(QPainter& painter, const ChartPicture& picture);
void paint_chart_bars(QPainter& painter, const ChartPicture& picture);
void paint_selected_bar(QPainter& painter, const ChartPicture& picture);
/// Paints over the series: margins (which cover everything outside the area), labels, reference line,
/// selection.
void paint_chart_frame(QPainter& painter, const ChartPicture& picture);

/// mouse: pixels; hover: the item under the mouse, if any.
void paint_crosshair(QPainter& painter, const ChartPicture& picture, const QPointF& mouse,
                     const std::optional<ChartHover>& hover, const NumberStyle& style);
void paint_zoom_box(QPainter& painter, const QRectF& box, const Theme& theme);

} // namespace sparsight
