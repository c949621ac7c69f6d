// The bars and columns of a chart, which may be thousands.
#include "widgets/chart/bar_columns.h"
#include "widgets/chart/chart_painting.h"
#include "widgets/look/theme.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double hatch_spacing = 6;

void paint_whisker(QPainter& painter, const Bar& bar, const QRectF& rect, const ChartPicture& picture) {
    if (!std::isfinite(bar.spread) || !(bar.spread > 0) || rect.width() < 6)
        return;
    const ChartTransform& transform = picture.layout.transform;
    double low = transform.pixel_y(bar.value - bar.spread);
    const double high = transform.pixel_y(bar.value + bar.spread);
    if (!std::isfinite(low))
        low = transform.area.bottom();
    const double x = crisp(rect.center().x());
    const double cap = std::min(4.0, rect.width() / 4);
    painter.setPen(QPen(picture.theme.text, 1));
    painter.drawLine(QLineF(x, low, x, high));
    painter.drawLine(QLineF(x - cap, low, x + cap, low));
    painter.drawLine(QLineF(x - cap, high, x + cap, high));
}

void paint_hatching(QPainter& painter, const QRectF& rect, const Theme& theme, const QColor& fill) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixed(fill, theme.surface, 0.75), 1.5));
    painter.drawLines(hatch_lines(rect, hatch_spacing));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Edges on whole pixels, so that bars of the same width look it; never thinner than one.
QRectF snapped(const QRectF& rect) {
    const double left = std::round(rect.left());
    const double right = std::max(left + 1, std::round(rect.right()));
    const double top = std::round(rect.top());
    const double bottom = std::max(top + 1, std::round(rect.bottom()));
    return {left, top, right - left, bottom - top};
}

void paint_column(QPainter& painter, const QRectF& rect, const QColor& colour, bool hatched,
                  const ChartPicture& picture) {
    const QRectF visible = snapped(rect).intersected(picture.layout.transform.area);
    if (visible.isEmpty())
        return;
    painter.fillRect(visible, hatched ? mixed(picture.theme.surface, colour, 0.8) : colour);
    if (hatched && visible.width() >= 3)
        paint_hatching(painter, visible, picture.theme, colour);
}

/// What is selected is a key and not one bar: the mark is of the bars of all series that have it.
} // namespace

void paint_selected_bar(QPainter& painter, const ChartPicture& picture) {
    const ChartTransform& transform = picture.layout.transform;
    const auto found = bars_of_key(picture.content.shown_bars(), picture.content.selected, transform);
    if (!found || found->right() < transform.area.left() || found->left() > transform.area.right())
        return;
    const bool has_frame = found->width() >= 5;
    painter.setBrush(Qt::NoBrush);
    if (has_frame) {
        painter.setPen(QPen(picture.theme.text, 2));
        painter.drawRect(snapped(*found).adjusted(-1, -1, 1, 1).intersected(transform.area));
    }
    // A pin that finds even a bar of a fraction of a pixel.
    const double x = found->center().x();
    const double top = transform.area.top();
    painter.setPen(QPen(picture.theme.text, 1, has_frame ? Qt::NoPen : Qt::SolidLine));
    painter.drawLine(QLineF(crisp(x), top, crisp(x), found->bottom()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(picture.theme.text);
    painter.drawPolygon(QPolygonF({{x - 5, top - 6}, {x + 5, top - 6}, {x, top + 1}}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paint_chart_bars(QPainter& painter, const ChartPicture& picture) {
    const auto series = picture.content.shown_bars();
    for (const BarColumn& column : bar_columns(series, picture.layout.transform)) {
        const Bar& bar = series[column.series]->bars[column.shown];
        paint_column(painter, column.rect, colour_from(bar.colour, picture.theme), bar.hatched, picture);
        if (column.first == column.last)
            paint_whisker(painter, bar, column.rect, picture);
    }
    for (std::size_t i = 0; i < picture.content.series.size(); ++i)
        if (const auto* const histogram = std::get_if<Histogram>(&picture.content.series[i]);
            histogram != nullptr && picture.content.shown(i))
            for (const BarColumn& column : histogram_columns(*histogram, picture.layout.transform))
                paint_column(painter, column.rect, colour_from(histogram->colour, picture.theme), false,
                             picture);
}

} // namespace sparsight
