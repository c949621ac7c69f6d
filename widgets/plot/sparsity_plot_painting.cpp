// What only the widget shows: messages, the readout, the box being drawn, that it is working.
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr qint64 waiting_after_ms = 300; // milliseconds before waiting is worth a word

QColor with_alpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

} // namespace

PlotScene SparsityPlot::scene() const {
    return {layout_,         view_,          picture_,
            backdrop_,       guides_,        overlay_,
            current_theme(), caption_font(), current_number_style(),
            cursor_};
}

void SparsityPlot::paintEvent(QPaintEvent*) {
    if (source_ && !picture_fits_screen())
        ask_for_picture();
    QPainter painter(this);
    const PlotScene now = scene();
    if (!shows_matrix() || view_.empty()) {
        painter.fillRect(rect(), now.theme.surface);
        paint_message(painter);
    } else {
        paint_scene(painter, size(), now);
        paint_box(painter);
        paint_chip(painter, now);
        paint_note(painter);
    }
    paint_busy(painter);
    if (hasFocus() && focus_by_key_) {
        painter.setPen(QPen(with_alpha(now.theme.accent, 0.7), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void SparsityPlot::paint_message(QPainter& painter) const {
    const Theme& theme = current_theme();
    QString head = hint_title_.isEmpty() ? tr("No matrix selected") : hint_title_;
    QString text = hint_;
    if (!error_.isEmpty()) {
        head = tr("The pattern can't be shown");
        text = error_;
    } else if (is_of_nothing()) {
        head = tr("An empty matrix");
        text = tr("It has no rows or no columns.");
    } else if (!busy_.isEmpty()) {
        head = busy_;
        text.clear();
    }
    const QRectF room = QRectF(rect()).adjusted(grid_step, grid_step, -grid_step, -grid_step);
    const QFontMetricsF head_metrics(title_font());
    const QFontMetricsF text_metrics(font());
    const double width = std::min(room.width(), 48 * text_metrics.averageCharWidth());
    const QRectF text_size = text_metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, text);
    const double height = head_metrics.height() + grid_step + text_size.height();
    const double top = room.center().y() - height / 2;
    painter.setFont(title_font());
    painter.setPen(error_.isEmpty() ? theme.text : theme.error);
    painter.drawText(QRectF(room.left(), top, room.width(), head_metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop, head);
    painter.setFont(font());
    painter.setPen(theme.dim_text);
    painter.drawText(QRectF(room.center().x() - width / 2, top + head_metrics.height() + grid_step, width,
                            text_size.height() + text_metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text);
}

void SparsityPlot::paint_chip(QPainter& painter, const PlotScene& now) const {
    if (readout_.isEmpty())
        return;
    const Theme& theme = current_theme();
    painter.setFont(caption_font());
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(readout_) + 2 * grid_step, metrics.height() + grid_step);
    const QRectF room = now.visible_matrix().adjusted(grid_step, grid_step, -grid_step, -grid_step);
    QRectF chip(QPointF(room.left(), room.bottom() - size.height()), size);
    // Never over what it speaks of.
    if (cursor_ && chip.adjusted(-grid_step, -3 * grid_step, 3 * grid_step, grid_step)
                       .contains(*cursor_ + layout_.viewport.topLeft()))
        chip.moveRight(room.right());
    chip.moveLeft(std::clamp(chip.left(), double{grid_step}, // a matrix may be narrower than its readout
                             std::max<double>(grid_step, width() - chip.width() - grid_step)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(with_alpha(theme.raised, 0.94));
    chip = QRectF(chip.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(chip, corner_radius, corner_radius);
    painter.setPen(theme.text);
    painter.drawText(chip, Qt::AlignCenter, readout_);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SparsityPlot::paint_note(QPainter& painter) const {
    const QRectF below(grid_step, layout_.viewport.bottom() + 1, width() - 2 * grid_step,
                       height() - layout_.viewport.bottom() - 1);
    painter.setFont(caption_font());
    painter.setPen(current_theme().dim_text);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(caption_font()).elidedText(note(), Qt::ElideRight, below.width()));
}

void SparsityPlot::paint_box(QPainter& painter) const {
    if (gesture_ != Gesture::Box)
        return;
    const Theme& theme = current_theme();
    const QRectF box = QRectF(gesture_start_, gesture_at_).normalized() & layout_.viewport;
    painter.fillRect(box, with_alpha(theme.accent, 0.15));
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(box.toAlignedRect()).adjusted(0, 0, -1, -1));
}

void SparsityPlot::paint_busy(QPainter& painter) const {
    const bool late = shows_matrix() && !picture_is_current() && asked_at_.isValid() &&
                      asked_at_.elapsed() > waiting_after_ms;
    if (busy_.isEmpty() && !late)
        return;
    const Theme& theme = current_theme();
    const double length = width() / 4.0;
    const double way = width() + length;
    const qint64 elapsed = busy_.isEmpty() ? asked_at_.elapsed() : busy_since_.elapsed();
    const double share = static_cast<double>(elapsed % 1600) / 1600;
    painter.fillRect(QRectF(0, 0, width(), 3), with_alpha(theme.accent, 0.18));
    painter.fillRect(QRectF(share * way - length, 0, length, 3), theme.accent);
    if (busy_.isEmpty() || !shows_matrix())
        return;
    painter.setFont(caption_font());
    painter.setPen(theme.dim_text);
    painter.drawText(
        QRectF(grid_step, 3 + grid_step / 2.0, width() - 6.0 * grid_step, painter.fontMetrics().height()),
        Qt::AlignRight | Qt::AlignTop, busy_);
}

} // namespace sparsight
