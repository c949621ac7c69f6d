#include "widgets/chart/chart_painting.h"

#include "widgets/chart/bar_columns.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
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

constexpr double hatch_spacing = 6;

void paint_band(QPainter& painter, const QPainterPath& path, BandLook look, const QColor& of,
                const Theme& theme) {
    QColor fill = of;
    const float faint = theme.dark ? 0.24F : 0.16F;
    fill.setAlphaF(look == BandLook::Filled ? 3 * faint : faint);
    painter.fillPath(path, fill);
    if (look != BandLook::Hatched)
        return;
    painter.save();
    painter.setClipPath(path, Qt::IntersectClip);
    painter.setPen(QPen(of, 1.5));
    painter.drawLines(hatch_lines(path.boundingRect(), hatch_spacing));
    painter.restore();
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
        const auto* const line = std::get_if<LineSeries>(&series);
        if (line != nullptr && (line->band == BandLook::Filled || line->band == BandLook::Hatched)) {
            QPainterPath path;
            path.addRect(swatch.adjusted(1, 1, -1, -1));
            painter.setPen(Qt::NoPen);
            paint_band(painter, path, line->band, colour, picture.theme);
        } else if (line != nullptr) {
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
        painter.drawText(tick.label_rect, Qt::AlignHCenter | Qt::AlignTop | Qt::TextDontClip, tick.label);
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
        painter.drawText(layout.title, Qt::AlignLeft | Qt::AlignVCenter, layout.title_text);
    }
}

} // namespace

void paint_chart_grid(QPainter& painter, const ChartPicture& picture) {
    const QRectF& area = picture.layout.transform.area;
    painter.fillRect(area, picture.theme.surface);
    if (picture.content.empty()) // a grid without numbers says nothing
        return;
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

namespace {

void paint_whiskers(QPainter& painter, const LineSeries& line, const ChartTransform& transform,
                    const QColor& colour) {
    constexpr double cap = 4;
    painter.save();
    painter.setPen(QPen(colour, 1.5));
    for (std::size_t at = 0; at < line.x.size(); ++at) {
        const double x = transform.pixel_x(line.x[at]);
        const double low = transform.pixel_y(line.low[at]);
        const double high = transform.pixel_y(line.high[at]);
        if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high))
            continue;
        painter.drawLine(QLineF(x, low, x, high));
        for (const double end : {low, high})
            painter.drawLine(QLineF(x - cap, end, x + cap, end));
    }
    painter.restore();
}

} // namespace

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
        const QColor colour = colour_from(line->colour, picture.theme);
        if (line->band == BandLook::Whiskers) {
            paint_whiskers(painter, *line, transform, colour);
            continue;
        }
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
        QPainterPath path;
        path.addPolygon(upper + lower);
        path.closeSubpath();
        paint_band(painter, path, line->band, colour, picture.theme);
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
            painter.drawText(picture.layout.title, Qt::AlignLeft | Qt::AlignVCenter,
                             picture.layout.title_text);
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

namespace {

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

/// Edges on whole pixels, so that bars of the same width look equal; never thinner than one pixel.
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

} // namespace

/// The selection is a key, not a single bar: the bars of all series with this key are marked.
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
    // A pin marks even a bar that is a fraction of a pixel wide.
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

namespace {

/// Upright, from the axis on: places are narrow.
void paint_absence(QPainter& painter, const QString& text, const BarExtent& place,
                   const ChartPicture& picture) {
    constexpr double gap = 4;
    const QRectF area = picture.layout.transform.area;
    const QFontMetricsF metrics(picture.fonts.caption);
    const double centre = (place.left + place.right) / 2;
    if (place.right - place.left < metrics.height() || centre < area.left() || centre > area.right())
        return;
    const double room = area.height() - 2 * gap;
    painter.save();
    painter.setFont(picture.fonts.caption);
    painter.setPen(picture.theme.dim_text);
    painter.translate(centre, area.bottom() - gap);
    painter.rotate(-90);
    painter.drawText(QRectF(0, -metrics.height() / 2, room, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, room));
    painter.restore();
}

void paint_absences(QPainter& painter, const ChartPicture& picture) {
    const auto series = picture.content.shown_bars();
    for (std::size_t index = 0; index < series.size(); ++index)
        for (std::size_t bar = 0; bar < series[index]->bars.size(); ++bar)
            if (const Bar& one = series[index]->bars[bar]; !one.absence.isEmpty() && std::isnan(one.value))
                paint_absence(painter, one.absence,
                              bar_extent(index, series.size(), bar, picture.layout.transform), picture);
}

} // namespace

void paint_chart_bars(QPainter& painter, const ChartPicture& picture) {
    paint_absences(painter, picture);
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

namespace {

void paint_tag(QPainter& painter, QRectF rect, const QString& text, const ChartPicture& picture) {
    rect.moveLeft(std::clamp(rect.left(), 1.0, std::max(1.0, picture.rect.right() - rect.width() - 1)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(picture.theme.text);
    painter.drawRoundedRect(rect, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(picture.theme.surface);
    painter.drawText(rect, Qt::AlignCenter, text);
}

void paint_note(QPainter& painter, const ChartPicture& picture, const ChartHover& hover,
                const QPointF& mouse) {
    const QFontMetricsF metrics(picture.fonts.caption);
    QFont strong = picture.fonts.caption;
    strong.setWeight(QFont::DemiBold);
    const QFontMetricsF strong_metrics(strong);
    constexpr double padding = 8;
    constexpr double swatch = 9;
    const double widest_allowed = std::max(80.0, picture.rect.width() * 0.6);
    const double line_height = std::ceil(metrics.height()) + 2;
    double width = hover.title.isEmpty() ? 0 : strong_metrics.horizontalAdvance(hover.title);
    for (const HoverLine& line : hover.lines)
        width = std::max(width, metrics.horizontalAdvance(line.text) + swatch + 6);
    width = std::min(width, widest_allowed);
    const double rows = static_cast<double>(hover.lines.size()) + (hover.title.isEmpty() ? 0 : 1);
    QRectF box(0, 0, std::ceil(width + 2 * padding) + 1, rows * line_height + 2 * padding - 2);
    // Beside the mouse, on the side with enough space.
    const double right = mouse.x() + 16;
    box.moveLeft(right + box.width() <= picture.rect.right() ? right
                                                             : std::max(1.0, mouse.x() - 16 - box.width()));
    box.moveTop(std::clamp(mouse.y() - box.height() / 2, 1.0,
                           std::max(1.0, picture.rect.bottom() - box.height() - 1)));

    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(picture.theme.outline, 1));
    painter.setBrush(picture.theme.raised);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    double y = box.top() + padding - 1;
    const double left = box.left() + padding;
    if (!hover.title.isEmpty()) {
        painter.setFont(strong);
        painter.setPen(picture.theme.text);
        painter.drawText(QRectF(left, y, width + 1, line_height), Qt::AlignLeft | Qt::AlignVCenter,
                         strong_metrics.elidedText(hover.title, Qt::ElideMiddle, width + 1));
        y += line_height;
    }
    painter.setFont(picture.fonts.caption);
    for (const HoverLine& line : hover.lines) {
        double text_left = left;
        if (line.colour) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour_from(*line.colour, picture.theme));
            painter.drawRoundedRect(QRectF(left, y + (line_height - swatch) / 2, swatch, swatch), 2, 2);
            text_left += swatch + 6;
        }
        painter.setPen(line.colour ? picture.theme.text : picture.theme.dim_text);
        const double room = left + width + 1 - text_left;
        painter.drawText(QRectF(text_left, y, room, line_height), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(line.text, Qt::ElideRight, room));
        y += line_height;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void paint_crosshair(QPainter& painter, const ChartPicture& picture, const QPointF& mouse,
                     const std::optional<ChartHover>& hover, const NumberStyle& style) {
    const ChartTransform& transform = picture.layout.transform;
    if (!transform.area.contains(mouse) || picture.content.empty())
        return;
    const QPointF place = hover ? QPointF(hover->place.x(), std::clamp(hover->place.y(), transform.area.top(),
                                                                       transform.area.bottom()))
                                : mouse;
    QColor line = picture.theme.text;
    line.setAlpha(110);
    painter.setPen(QPen(line, 1, Qt::DotLine));
    painter.drawLine(
        QLineF(crisp(place.x()), transform.area.top(), crisp(place.x()), transform.area.bottom()));
    painter.drawLine(
        QLineF(transform.area.left(), crisp(place.y()), transform.area.right(), crisp(place.y())));
    const QFontMetricsF metrics(picture.fonts.caption);
    painter.setFont(picture.fonts.caption);
    const auto tag_size = [&metrics](const QString& text) {
        return QSizeF(metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    };
    const QString y_text = value_text(transform.value_y(place.y()), picture.content.y.format, style);
    const QSizeF y_size = tag_size(y_text);
    paint_tag(
        painter,
        QRectF(QPointF(transform.area.left() - y_size.width() - 2, place.y() - y_size.height() / 2), y_size),
        y_text, picture);
    if (!picture.content.has_bars()) {
        const QString x_text = value_text(transform.value_x(place.x()), picture.content.x.format, style);
        const QSizeF x_size = tag_size(x_text);
        paint_tag(painter,
                  QRectF(QPointF(place.x() - x_size.width() / 2, transform.area.bottom() + 4), x_size),
                  x_text, picture);
    }
    if (hover) {
        if (!picture.content.has_bars() && !picture.content.has_histogram()) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(picture.theme.surface, 1.5));
            painter.setBrush(picture.theme.text);
            painter.drawEllipse(place, 4.5, 4.5);
        }
        paint_note(painter, picture, *hover, mouse);
    }
}

void paint_zoom_box(QPainter& painter, const QRectF& box, const Theme& theme) {
    QColor fill = theme.accent;
    fill.setAlpha(40);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(fill);
    painter.drawRect(box);
}

} // namespace sparsight
