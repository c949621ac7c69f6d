#include "widgets/chart/bar_columns.h"
#include "widgets/chart/chart_content.h"
#include "widgets/chart/waterfall_scene.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double gap = 6;
constexpr double hatch_spacing = 6;
constexpr double paleness = 0.62; ///< of what may be noise

class WaterfallPainter {
public:
    WaterfallPainter(QPainter& painter, const WaterfallPicture& picture, const WaterfallLayout& layout,
                     const Theme& theme, const WaterfallLook& look)
        : painter_(painter)
        , picture_(picture)
        , layout_(layout)
        , theme_(theme)
        , look_(look)
        , text_(layout.text_font)
        , spans_(spans_of(picture)) {}

    void paint() {
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_title();
        paint_axis();
        for (std::size_t row = 0; row < picture_.rows(); ++row)
            paint_background(row);
        for (std::size_t row = 0; row < picture_.rows(); ++row)
            paint_row(row);
        paint_connectors();
    }

private:
    [[nodiscard]] bool is_end(std::size_t row) const { return row == 0 || row > picture_.steps.size(); }
    [[nodiscard]] const WaterfallEnd& end_of(std::size_t row) const {
        return row == 0 ? picture_.from : picture_.to;
    }

    void paint_title() {
        if (picture_.title.isEmpty())
            return;
        painter_.setFont(layout_.title_font);
        painter_.setPen(theme_.text);
        painter_.drawText(layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(layout_.title_font)
                              .elidedText(picture_.title, Qt::ElideRight, layout_.title.width()));
    }

    void paint_axis() {
        const QRectF area = layout_.area();
        painter_.setFont(layout_.text_font);
        const int wanted = std::max(2, static_cast<int>(area.width() / (6 * text_.averageCharWidth() + 20)));
        for (const ChartTick& tick :
             chart_ticks(layout_.scale, picture_.axis.format, wanted, current_number_style())) {
            const double x = layout_.pixel(tick.value);
            if (tick.label.isEmpty() || x < area.left() - 1 || x > area.right() + 1)
                continue;
            painter_.setPen(QPen(theme_.grid, 1));
            painter_.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            painter_.setPen(theme_.dim_text);
            painter_.drawText(QRectF(x - 60, layout_.axis.top() + gap / 2, 120, text_.height()),
                              Qt::AlignCenter, tick.label);
        }
        painter_.setPen(theme_.dim_text);
        painter_.drawText(QRectF(area.left(), layout_.axis.top() + gap / 2 + text_.height(), area.width(),
                                 text_.height() + gap / 2),
                          Qt::AlignCenter, axis_title(picture_.axis));
    }

    void paint_background(std::size_t row) {
        const bool is_selected = !look_.selected.isEmpty() && picture_.key_of(row) == look_.selected;
        if (is_selected || look_.lit == row)
            painter_.fillRect(layout_.row(row), is_selected ? theme_.selection : theme_.hover);
    }

    void paint_row(std::size_t row) {
        paint_label(row);
        paint_bar(row);
        paint_value(row);
    }

    void paint_label(std::size_t row) {
        const QRectF place = layout_.row(row);
        const QRectF room(gap, place.top(), layout_.label_width - 2 * gap, place.height());
        QFont font = layout_.text_font;
        font.setBold(is_end(row));
        painter_.setFont(font);
        const QFontMetricsF metrics(font);
        const QString label = is_end(row) ? end_of(row).label : picture_.steps[row - 1].label;
        painter_.setPen(theme_.text);
        painter_.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(label, Qt::ElideRight, room.width()));
        if (is_end(row))
            return;
        const double used = metrics.horizontalAdvance(label + QStringLiteral("  "));
        if (used >= room.width())
            return;
        painter_.setPen(theme_.dim_text);
        const QRectF rest = room.adjusted(used, 0, 0, 0);
        painter_.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(picture_.steps[row - 1].change, Qt::ElideRight, rest.width()));
    }

    [[nodiscard]] QColor colour_of(std::size_t row) const {
        if (is_end(row))
            return colour_from(end_of(row).colour, theme_);
        const WaterfallBar& step = picture_.steps[row - 1];
        const QColor colour = step.amount >= 0 ? theme_.lose : theme_.win;
        return step.is_significant ? colour : mixed(colour, theme_.surface, paleness);
    }

    [[nodiscard]] QRectF box_of(std::size_t row) const {
        const QRectF place = layout_.row(row);
        const double inset = std::round(place.height() * 0.18);
        const double begin = layout_.pixel(spans_[row].begin);
        const double end = layout_.pixel(spans_[row].end);
        // Also what is next to nothing is a line.
        const double left = std::min(begin, end);
        return {left, place.top() + inset, std::max(1.5, std::abs(end - begin)), place.height() - 2 * inset};
    }

    void paint_bar(std::size_t row) {
        const QRectF box = box_of(row);
        const QColor colour = colour_of(row);
        painter_.save();
        painter_.setClipRect(layout_.area(), Qt::IntersectClip);
        const QRectF seen = box & layout_.area();
        if (!seen.isEmpty()) {
            painter_.fillRect(seen, picture_.hatched ? mixed(colour, theme_.surface, 0.45) : colour);
            if (picture_.hatched && seen.width() >= 3) {
                painter_.setPen(QPen(colour, 1.3));
                painter_.drawLines(hatch_lines(seen, hatch_spacing));
            }
            if (picture_.hatched) {
                painter_.setPen(QPen(colour, 1));
                painter_.setBrush(Qt::NoBrush);
                painter_.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        paint_whisker(row);
        painter_.restore();
    }

    /// Around the end of the bar: how far off it may be.
    void paint_whisker(std::size_t row) {
        const double spread = is_end(row) ? end_of(row).spread : picture_.steps[row - 1].uncertainty;
        if (!(spread > 0) || !std::isfinite(spread))
            return;
        const QRectF place = layout_.row(row);
        const double low = layout_.pixel(spans_[row].end - spread);
        const double high = layout_.pixel(spans_[row].end + spread);
        if (high - low < 3)
            return;
        const double middle = place.center().y();
        const double half = place.height() * 0.14;
        painter_.setPen(QPen(theme_.text, 1.2));
        painter_.drawLine(QPointF(low, middle), QPointF(high, middle));
        for (const double x : {low, high})
            painter_.drawLine(QPointF(x, middle - half), QPointF(x, middle + half));
    }

    /// From the end of each bar down to where the next one begins.
    void paint_connectors() {
        painter_.save();
        painter_.setClipRect(layout_.area(), Qt::IntersectClip);
        painter_.setPen(QPen(theme_.dim_text, 1, Qt::DotLine));
        for (std::size_t row = 0; row + 1 < spans_.size(); ++row) {
            const double x = layout_.pixel(spans_[row].end);
            painter_.drawLine(QPointF(x, box_of(row).bottom()), QPointF(x, box_of(row + 1).top()));
        }
        painter_.restore();
    }

    void paint_value(std::size_t row) {
        const QRectF place = layout_.row(row);
        QFont font = layout_.text_font;
        font.setBold(is_end(row));
        painter_.setFont(font);
        const bool is_pale = !is_end(row) && !picture_.steps[row - 1].is_significant;
        painter_.setPen(is_pale ? theme_.dim_text : theme_.text);
        painter_.drawText(
            QRectF(layout_.area().right(), place.top(), layout_.value_width - gap, place.height()),
            Qt::AlignRight | Qt::AlignVCenter, amount_text(picture_, row));
    }

    QPainter& painter_;
    const WaterfallPicture& picture_;
    const WaterfallLayout& layout_;
    const Theme& theme_;
    const WaterfallLook& look_;
    QFontMetricsF text_;
    std::vector<WaterfallSpan> spans_;
};

} // namespace

void paint_waterfall(QPainter& painter, const WaterfallPicture& picture, const WaterfallLayout& layout,
                     const Theme& theme, const WaterfallLook& look) {
    WaterfallPainter(painter, picture, layout, theme, look).paint();
}

} // namespace sparsight
