#include "widgets/chart/chart_content.h"
#include "widgets/chart/owner_colours.h"
#include "widgets/chart/stacked_scene.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace sparsight {

namespace {

constexpr double gap = 6;

void fill_hatched(QPainter& painter, const QRectF& box, const QColor& colour, const Theme& theme) {
    painter.fillRect(box, mixed(colour, theme.surface, 0.65));
    painter.save();
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setPen(QPen(colour, 1.3));
    constexpr double step = 5;
    const int lines = static_cast<int>((box.width() + box.height()) / step) + 1;
    for (int line = 0; line < lines; ++line) {
        const double x = box.left() - box.height() + step * line;
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    }
    painter.restore();
}

void fill_term(QPainter& painter, const QRectF& box, const StackedTerm& term, const Theme& theme, bool lit) {
    QColor colour = colour_from(term.colour, theme);
    if (lit)
        colour = mixed(colour, theme.dark ? QColor(Qt::white) : QColor(Qt::black), 0.2);
    if (term.hatched)
        fill_hatched(painter, box, colour, theme);
    else
        painter.fillRect(box, colour);
}

/// A diamond, drawn so that it is seen on every colour.
void paint_marker(QPainter& painter, const QPointF& place, double half, const Theme& theme) {
    painter.setPen(QPen(theme.surface, 1.5));
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF({place + QPointF(0, -half), place + QPointF(half, 0),
                                   place + QPointF(0, half), place + QPointF(-half, 0)}));
}

/// A marker that lies farther right than the axis goes: it points there.
void paint_marker_beyond(QPainter& painter, const QPointF& place, double half, const Theme& theme) {
    painter.setPen(QPen(theme.surface, 1.5));
    painter.setBrush(theme.text);
    painter.drawPolygon(
        QPolygonF({place + QPointF(-half, -half), place + QPointF(half, 0), place + QPointF(-half, half)}));
}

class StackedPainter {
public:
    StackedPainter(QPainter& painter, const StackedPicture& picture, const StackedPose& pose,
                   const StackedLayout& layout, const Theme& theme, const StackedLook& look)
        : painter_(painter)
        , picture_(picture)
        , pose_(pose)
        , layout_(layout)
        , theme_(theme)
        , look_(look)
        , text_(layout.text_font) {}

    void paint() {
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_title();
        paint_legend();
        paint_axis();
        painter_.save();
        painter_.setClipRect(layout_.rows, Qt::IntersectClip);
        for (std::size_t bar = picture_.bars.size(); bar-- > 0;) // the first one over those that it passes
            paint_row(bar);
        painter_.restore();
    }

private:
    void paint_title() {
        painter_.setFont(layout_.title_font);
        painter_.setPen(theme_.text);
        const QFontMetricsF metrics(layout_.title_font);
        painter_.drawText(layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(picture_.title, Qt::ElideRight, layout_.title.width()));
        painter_.setFont(layout_.text_font);
    }

    void paint_legend() {
        for (const StackedLayout::LegendEntry& entry : layout_.legend) {
            const double side = std::round(text_.height() * 0.7);
            const QRectF swatch(entry.rect.left(), entry.rect.center().y() - side / 2, side, side);
            if (entry.term)
                fill_term(painter_, swatch, picture_.terms[*entry.term], theme_, false);
            else
                paint_marker(painter_, swatch.center(), side / 2, theme_);
            painter_.setPen(theme_.dim_text);
            painter_.drawText(entry.rect.adjusted(side + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              entry.term ? picture_.terms[*entry.term].name : picture_.marker_name);
        }
    }

    void paint_axis() {
        const QRectF area = layout_.area();
        const int wanted = std::max(2, static_cast<int>(area.width() / (6 * text_.averageCharWidth() + 20)));
        for (const ChartTick& tick : chart_ticks({false, pose_.start, pose_.limit}, picture_.axis.format,
                                                 wanted, current_number_style())) {
            const double x = layout_.pixel(tick.value, pose_);
            if (tick.label.isEmpty() || x > area.right() + 1 || x < area.left() - 1)
                continue;
            painter_.setPen(QPen(theme_.grid, 1));
            painter_.drawLine(QPointF(x, layout_.rows.top()), QPointF(x, layout_.rows.bottom()));
            painter_.setPen(theme_.dim_text);
            painter_.drawText(QRectF(x - 60, layout_.axis.top() + gap / 2, 120, text_.height()),
                              Qt::AlignCenter, tick.label);
        }
        painter_.setPen(theme_.dim_text);
        painter_.drawText(QRectF(area.left(), layout_.axis.top() + gap / 2 + text_.height(), area.width(),
                                 text_.height() + gap / 2),
                          Qt::AlignCenter, axis_title(picture_.axis));
    }

    void paint_row(std::size_t at) {
        const StackedBar& bar = picture_.bars[at];
        const auto found = pose_.bars.find(bar.key);
        if (found == pose_.bars.end())
            return;
        const QRectF row = layout_.row(found->second.row);
        if (!row.intersects(layout_.rows))
            return;
        const bool is_selected = !look_.selected.isEmpty() && bar.key == look_.selected;
        const bool is_lit = look_.lit && look_.lit->bar == at;
        if (is_selected || is_lit) {
            painter_.fillRect(row, is_selected ? theme_.selection : theme_.hover);
        }
        paint_label(at, row, at == 0);
        paint_parts(at, row, found->second.parts);
        paint_value(bar, row, at == 0);
    }

    void paint_label(std::size_t at, const QRectF& row, bool is_first) {
        const StackedBar& bar = picture_.bars[at];
        QFont font = layout_.text_font;
        font.setBold(is_first);
        painter_.setFont(font);
        const QFontMetricsF metrics(font);
        const double rank_width = text_.horizontalAdvance(QStringLiteral("00 "));
        painter_.setPen(theme_.dim_text);
        painter_.drawText(QRectF(gap, row.top(), rank_width, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                          QString::number(at + 1));
        double left = gap + rank_width + gap;
        const double side = std::round(text_.height());
        if (!bar.badge.isEmpty()) {
            const QRectF badge(left, row.center().y() - side / 2, side, side);
            paint_owner_badge(painter_, badge, owner_look(bar.badge_colour, theme_), bar.badge);
            painter_.setPen(theme_.dim_text);
        }
        left += side + gap;
        const QRectF room(left, row.top(), layout_.label_width - left - gap, row.height());
        painter_.setPen(theme_.text);
        painter_.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(bar.label, Qt::ElideRight, room.width()));
        painter_.setFont(layout_.text_font);
    }

    void paint_parts(std::size_t at, const QRectF& row, const std::vector<double>& parts) {
        const QRectF area = layout_.area();
        const double inset = std::round(row.height() * 0.16);
        painter_.save();
        painter_.setClipRect(QRectF(area.left(), row.top(), area.width(), row.height()), Qt::IntersectClip);
        double end = 0;
        for (std::size_t term = 0; term < parts.size(); ++term) {
            const double begin = end;
            end += parts[term];
            const double left = layout_.pixel(begin, pose_);
            const QRectF box(left, row.top() + inset, layout_.pixel(end, pose_) - left,
                             row.height() - 2 * inset);
            if (box.width() < 0.05 || left > area.right())
                continue;
            fill_term(painter_, box, picture_.terms[term], theme_, look_.lit == StackedPlace{at, term});
        }
        if (layout_.pixel(end, pose_) > area.right() + 1)
            paint_torn_end(QRectF(area.right() - 8, row.top() + inset, 8, row.height() - 2 * inset));
        if (pose_.start > 0 && end > pose_.start)
            paint_torn_end(QRectF(area.left(), row.top() + inset, 8, row.height() - 2 * inset));
        painter_.restore();
        if (const auto& marker = picture_.bars[at].marker) {
            const double x = layout_.pixel(*marker, pose_);
            const double half = layout_.marker_half;
            if (x < area.left() - 1)
                return;
            if (x <= area.right() + 1)
                paint_marker(painter_, {x, row.center().y()}, half, theme_);
            else
                paint_marker_beyond(painter_, {area.right() - half, row.center().y()}, half, theme_);
        }
    }

    /// The bar goes on there.
    void paint_torn_end(const QRectF& end) {
        painter_.setPen(QPen(theme_.surface, 2));
        for (const double x : {end.left(), end.left() + 4})
            painter_.drawLine(QPointF(x, end.bottom()), QPointF(x + 4, end.top()));
    }

    void paint_value(const StackedBar& bar, const QRectF& row, bool is_first) {
        QFont font = layout_.text_font;
        font.setBold(is_first);
        painter_.setFont(font);
        painter_.setPen(is_first ? theme_.text : theme_.dim_text);
        const QString text = bar.parts.empty()
                                 ? unknown_text()
                                 : value_text(bar.total(), picture_.axis.format, current_number_style());
        painter_.drawText(QRectF(layout_.area().right(), row.top(), layout_.value_width - gap, row.height()),
                          Qt::AlignRight | Qt::AlignVCenter, text);
        painter_.setFont(layout_.text_font);
    }

    QPainter& painter_;
    const StackedPicture& picture_;
    const StackedPose& pose_;
    const StackedLayout& layout_;
    const Theme& theme_;
    const StackedLook& look_;
    QFontMetricsF text_;
};

} // namespace

void paint_stacked(QPainter& painter, const StackedPicture& picture, const StackedPose& pose,
                   const StackedLayout& layout, const Theme& theme, const StackedLook& look) {
    StackedPainter(painter, picture, pose, layout, theme, look).paint();
}

} // namespace sparsight
