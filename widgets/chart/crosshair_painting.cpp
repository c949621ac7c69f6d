// What follows the mouse: lines, the values at the axes, the note.
#include "widgets/chart/chart_painting.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

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
    // Beside the mouse, on the side where there is room.
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
