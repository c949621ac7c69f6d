#include "widgets/chart/chart_painting.h"

#include "widgets/chart/plot_ground.h"
#include "widgets/look/theme.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

void paint_selected_point(QPainter& painter, const ChartPicture& picture) {
    for (std::size_t i = 0; i < picture.content.series.size(); ++i) {
        const auto* const scatter = std::get_if<ScatterSeries>(&picture.content.series[i]);
        if (scatter == nullptr || !picture.content.shown(i))
            continue;
        for (const ScatterPoint& point : scatter->points) {
            const QPointF place(picture.layout.transform.pixel_x(point.x),
                                picture.layout.transform.pixel_y(point.y));
            if (point.key != picture.content.selected || !picture.layout.transform.area.contains(place))
                continue;
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(picture.theme.text, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(place, 8, 8);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
    }
}

void paint_reference(QPainter& painter, const ChartPicture& picture) {
    if (!picture.content.reference)
        return;
    const QRectF& area = picture.layout.transform.area;
    const double y = picture.layout.transform.pixel_y(picture.content.reference->y);
    if (!std::isfinite(y) || y < area.top() || y > area.bottom())
        return;
    painter.fillRect(QRectF(area.left(), std::round(y) - 1, area.width(), 2), picture.theme.reference);
}

void paint_reference_label(QPainter& painter, const ChartPicture& picture) {
    QRectF place = picture.layout.reference;
    if (place.isEmpty())
        return;
    painter.fillRect(QRectF(place.left(), std::round(place.center().y()) - 1, legend_swatch, 2),
                     picture.theme.reference);
    place.setLeft(place.left() + legend_swatch + legend_text_gap);
    painter.setFont(picture.fonts.caption);
    painter.setPen(picture.theme.dim_text);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(picture.fonts.caption)
                         .elidedText(picture.content.reference->label, Qt::ElideRight, place.width()));
}

void paint_legend(QPainter& painter, const ChartPicture& picture) {
    const QFontMetricsF metrics(picture.fonts.caption);
    painter.setFont(picture.fonts.caption);
    for (const LegendEntry& entry : picture.layout.legend) {
        const ChartSeries& series = picture.content.series[entry.series];
        const bool shown = picture.content.shown(entry.series);
        const QColor colour =
            shown ? colour_from(colour_of(series), picture.theme) : picture.theme.disabled_text;
        QRectF swatch(entry.rect.left(), entry.rect.center().y() - legend_swatch / 2, legend_swatch,
                      legend_swatch);
        painter.setRenderHint(QPainter::Antialiasing);
        if (const auto* const line = std::get_if<LineSeries>(&series)) {
            painter.setPen(QPen(colour, 2.5, line->dashed ? Qt::DotLine : Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(swatch.left(), swatch.center().y()),
                             QPointF(swatch.right(), swatch.center().y()));
        } else {
            painter.setPen(shown ? QPen(Qt::NoPen) : QPen(colour, 1));
            painter.setBrush(shown ? QBrush(colour) : QBrush(Qt::NoBrush));
            const bool round = std::holds_alternative<ScatterSeries>(series);
            painter.drawRoundedRect(swatch.adjusted(1, 1, -1, -1), round ? 5 : 2, round ? 5 : 2);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        QRectF place = entry.rect;
        place.setLeft(swatch.right() + legend_text_gap);
        painter.setPen(shown ? picture.theme.text : picture.theme.disabled_text);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(name_of(series), Qt::ElideRight, place.width()));
    }
}

void paint_margins(QPainter& painter, const ChartPicture& picture) {
    const QRectF& area = picture.layout.transform.area;
    const QRectF& all = picture.rect;
    const QColor& colour = picture.theme.surface;
    painter.fillRect(QRectF(all.topLeft(), QPointF(all.right(), area.top())), colour);
    painter.fillRect(QRectF(QPointF(all.left(), area.bottom()), all.bottomRight()), colour);
    painter.fillRect(QRectF(QPointF(all.left(), area.top()), QPointF(area.left(), area.bottom())), colour);
    painter.fillRect(QRectF(QPointF(area.right(), area.top()), QPointF(all.right(), area.bottom())), colour);
}

void paint_labels(QPainter& painter, const ChartPicture& picture) {
    const ChartLayout& layout = picture.layout;
    const QRectF& area = layout.transform.area;
    painter.setPen(picture.theme.outline);
    painter.drawLine(QLineF(area.left(), crisp(area.bottom()), area.right(), crisp(area.bottom())));
    painter.setFont(picture.fonts.caption);
    for (const PlacedTick& tick : layout.x_ticks) {
        if (!picture.content.has_bars()) {
            painter.setPen(picture.theme.outline);
            const double length = tick.label.isEmpty() ? 3 : 5;
            painter.drawLine(
                QLineF(crisp(tick.pixel), area.bottom(), crisp(tick.pixel), area.bottom() + length));
        }
        painter.setPen(picture.theme.dim_text);
        painter.drawText(tick.label_rect, Qt::AlignCenter | Qt::TextDontClip, tick.label);
    }
    for (const PlacedTick& tick : layout.y_ticks)
        painter.drawText(tick.label_rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tick.label);
    const QFontMetricsF metrics(picture.fonts.caption);
    QFont strong = picture.fonts.caption;
    strong.setWeight(QFont::Medium);
    painter.setFont(strong);
    painter.setPen(picture.theme.text);
    if (!layout.y_title.isEmpty())
        painter.drawText(
            layout.y_title, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(axis_title(picture.content.y), Qt::ElideRight, layout.y_title.width()));
    painter.drawText(
        layout.x_title, Qt::AlignHCenter | Qt::AlignVCenter,
        metrics.elidedText(axis_title(picture.content.x), Qt::ElideRight, layout.x_title.width()));
    if (!picture.content.title.isEmpty()) {
        painter.setFont(picture.fonts.title);
        painter.drawText(layout.title, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(picture.fonts.title)
                             .elidedText(picture.content.title, Qt::ElideRight, layout.title.width()));
    }
}

} // namespace

void paint_chart_grid(QPainter& painter, const ChartPicture& picture) {
    const QRectF& area = picture.layout.transform.area;
    painter.fillRect(area, picture.theme.surface);
    painter.setPen(picture.theme.grid);
    if (!picture.content.has_bars())
        for (const PlacedTick& tick : picture.layout.x_ticks)
            if (!tick.label.isEmpty())
                painter.drawLine(QLineF(crisp(tick.pixel), area.top(), crisp(tick.pixel), area.bottom()));
    for (const PlacedTick& tick : picture.layout.y_ticks) {
        painter.setPen(tick.label.isEmpty() ? mixed(picture.theme.surface, picture.theme.grid, 0.55)
                                            : picture.theme.grid);
        painter.drawLine(QLineF(area.left(), crisp(tick.pixel), area.right(), crisp(tick.pixel)));
    }
}

void paint_chart_bands(QPainter& painter, const ChartPicture& picture) {
    const ChartTransform& transform = picture.layout.transform;
    painter.save();
    painter.setClipRect(transform.area);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < picture.content.series.size(); ++i) {
        const auto* const line = std::get_if<LineSeries>(&picture.content.series[i]);
        if (line == nullptr || !picture.content.shown(i) || line->low.empty())
            continue;
        QPolygonF upper;
        QPolygonF lower;
        for (std::size_t at = 0; at < line->x.size(); ++at) {
            const double x = transform.pixel_x(line->x[at]);
            const double high = transform.pixel_y(line->high[at]);
            const double low = transform.pixel_y(line->low[at]);
            if (!std::isfinite(x) || !std::isfinite(high) || !std::isfinite(low))
                continue;
            upper << QPointF(x, high);
            lower.prepend(QPointF(x, low));
        }
        QColor colour = colour_from(line->colour, picture.theme);
        colour.setAlphaF(picture.theme.dark ? 0.24F : 0.16F);
        painter.setBrush(colour);
        painter.drawPolygon(upper + lower);
    }
    painter.restore();
}

void paint_chart_frame(QPainter& painter, const ChartPicture& picture) {
    paint_margins(painter, picture);
    if (picture.content.empty()) {
        paint_empty_plot(painter, picture.rect, picture.content.empty_text, picture.theme);
        if (!picture.content.title.isEmpty()) {
            painter.setFont(picture.fonts.title);
            painter.setPen(picture.theme.text);
            painter.drawText(picture.layout.title, Qt::AlignLeft | Qt::AlignVCenter, picture.content.title);
        }
        return;
    }
    paint_labels(painter, picture);
    paint_reference(painter, picture);
    paint_reference_label(painter, picture);
    if (picture.content.selected.isValid()) {
        paint_selected_bar(painter, picture);
        paint_selected_point(painter, picture);
    }
    paint_legend(painter, picture);
}

} // namespace sparsight
