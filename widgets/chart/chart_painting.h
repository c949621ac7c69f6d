// The parts of a chart that Qt Charts cannot draw as we want them: axes with our number texts, bars in the
// thousands, hatching, the legend, the crosshair.
#pragma once

#include "widgets/chart/chart_hover.h"
#include "widgets/chart/chart_layout.h"

#include <cmath>

class QPainter;

namespace sparsight {

struct Theme;

/// Lines of one pixel lie on the middle of pixels.
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
/// The bands around lines, beneath them.
void paint_chart_bands(QPainter& painter, const ChartPicture& picture);
void paint_chart_bars(QPainter& painter, const ChartPicture& picture);
void paint_selected_bar(QPainter& painter, const ChartPicture& picture);
/// Over the series: margins (what lies outside of the area is covered), labels, reference line, selection.
void paint_chart_frame(QPainter& painter, const ChartPicture& picture);

/// mouse: pixels; hover: what is there, if anything.
void paint_crosshair(QPainter& painter, const ChartPicture& picture, const QPointF& mouse,
                     const std::optional<ChartHover>& hover, const NumberStyle& style);
void paint_zoom_box(QPainter& painter, const QRectF& box, const Theme& theme);

} // namespace sparsight
