#include "widgets/chart/plots/stacked_picture.h"

#include "widgets/chart/chart_content.h"
#include "widgets/chart/chart_values.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sparsight {

namespace {

/// Bars longer than this multiple of the upper quartile run out of the axis: a few slow ones would leave no
/// space for the others.
constexpr double longest_shown = 1.25;

} // namespace

double StackedBar::total() const {
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double StackedBar::reach() const {
    return std::max(total(), high.value_or(0));
}

ChartScale reach_of(const StackedPicture& picture) {
    double longest = 0;
    for (const StackedBar& bar : picture.bars)
        if (!bar.parts.empty())
            longest = std::max({longest, bar.reach(), bar.marker.value_or(0)});
    return {false, 0, longest > 0 ? longest : 1};
}

StackedPose pose_of(const StackedPicture& picture) {
    StackedPose pose;
    std::vector<double> totals;
    double row = 0;
    for (const StackedBar& bar : picture.bars) {
        pose.bars[bar.key] = {row++, bar.parts};
        if (bar.parts.empty())
            continue;
        totals.push_back(bar.reach());
    }
    const double longest = reach_of(picture).high;
    if (totals.empty())
        return pose;
    const auto usual = totals.begin() + static_cast<std::ptrdiff_t>((totals.size() * 3) / 4);
    std::ranges::nth_element(totals, usual);
    pose.limit = std::min(longest, usual == totals.end() ? longest : longest_shown * *usual);
    return pose;
}

StackedPose between(const StackedPose& from, const StackedPose& to, double share) {
    StackedPose pose = to;
    pose.start = from.start + share * (to.start - from.start);
    pose.limit = from.limit + share * (to.limit - from.limit);
    for (auto& [key, bar] : pose.bars) {
        const auto before = from.bars.find(key);
        if (before == from.bars.end() || before->second.parts.size() != bar.parts.size())
            continue;
        bar.row = before->second.row + share * (bar.row - before->second.row);
        for (std::size_t part = 0; part < bar.parts.size(); ++part)
            bar.parts[part] =
                before->second.parts[part] + share * (bar.parts[part] - before->second.parts[part]);
    }
    return pose;
}

QString stacked_csv(const StackedPicture& picture) {
    QStringList head{QStringLiteral("rank"), QStringLiteral("key"), QStringLiteral("label")};
    for (const StackedTerm& term : picture.terms)
        head << quoted_field(term.name);
    head << QStringLiteral("total") << quoted_field(picture.marker_name);
    const bool has_intervals = std::ranges::any_of(
        picture.bars, [](const StackedBar& bar) { return bar.low.has_value() && bar.high.has_value(); });
    if (has_intervals)
        head << QStringLiteral("low") << QStringLiteral("high");
    const auto number = [](const std::optional<double>& value) {
        return value ? QString::number(*value, 'g', 17) : QString();
    };
    QString csv = head.join(u',') + u'\n';
    int rank = 0;
    for (const StackedBar& bar : picture.bars) {
        QStringList line{QString::number(++rank), quoted_field(bar.key), quoted_field(bar.label)};
        for (std::size_t part = 0; part < picture.terms.size(); ++part)
            line << (part < bar.parts.size() ? QString::number(bar.parts[part], 'g', 17) : QString());
        line << (bar.parts.empty() ? QString() : QString::number(bar.total(), 'g', 17)) << number(bar.marker);
        if (has_intervals)
            line << number(bar.low) << number(bar.high);
        csv += line.join(u',') + u'\n';
    }
    return csv;
}

namespace {

constexpr double stacked_gap = 6;

double legend_item_width(const QFontMetricsF& metrics, const QString& text) {
    return metrics.height() * 0.8 + stacked_gap + metrics.horizontalAdvance(text) + 2 * stacked_gap;
}

/// Of the ranks of all bars, which may have three digits.
double width_of_ranks(const StackedPicture& picture, const QFontMetricsF& metrics) {
    const auto digits = std::max<qsizetype>(2, QString::number(picture.bars.size()).size());
    return metrics.horizontalAdvance(QString(digits, u'0') + u' ');
}

/// The longest label, but not more than half of the width. Each may become the first, which is bold.
double room_for_labels(const StackedPicture& picture, QFont font, double width) {
    const QFontMetricsF metrics(font);
    const double badge_and_rank =
        metrics.height() + width_of_ranks(picture, metrics) + metrics.horizontalAdvance(u' ');
    font.setBold(true);
    const QFontMetricsF bold(font);
    double longest = 0;
    for (const StackedBar& bar : picture.bars)
        longest = std::max(longest, bold.horizontalAdvance(bar.label));
    return std::min(longest + badge_and_rank + 4 * stacked_gap + 1, 0.48 * width);
}

} // namespace

QRectF StackedLayout::area() const {
    return rows.adjusted(label_width, 0, -value_width, 0);
}

double StackedLayout::pixel(double value, const StackedPose& pose) const {
    const QRectF bars = area();
    return bars.left() + bars.width() * (value - pose.start) / (pose.limit - pose.start);
}

QRectF StackedLayout::row(double row) const {
    return {rows.left(), rows.top() + row * row_height - scrolled, rows.width(), row_height};
}

StackedLayout lay_out_stacked(const StackedPicture& picture, const QSizeF& size, const QSizeF& tools,
                              double scrolled) {
    StackedLayout layout;
    layout.title_font = title_font();
    layout.text_font = caption_font();
    layout.scrolled = scrolled;
    const QFontMetricsF title(layout.title_font);
    const QFontMetricsF text(layout.text_font);
    double top = stacked_gap;
    if (!picture.title.isEmpty()) {
        layout.title =
            QRectF(stacked_gap, top, size.width() - 2 * stacked_gap - tools.width(), title.height());
        top = layout.title.bottom() + stacked_gap;
    }
    QPointF corner(stacked_gap, top);
    const auto place = [&](std::optional<std::size_t> term, const QString& name) {
        const double width = legend_item_width(text, name);
        const double end = size.width() - (picture.title.isEmpty() ? tools.width() : 0);
        if (corner.x() + width > end && corner.x() > stacked_gap)
            corner = {stacked_gap, corner.y() + text.height() + 2};
        layout.legend.push_back({term, QRectF(corner, QSizeF(width, text.height()))});
        corner.rx() += width;
    };
    for (std::size_t term = 0; term < picture.terms.size(); ++term)
        place(term, picture.terms[term].name);
    if (std::ranges::any_of(picture.bars, [](const StackedBar& bar) { return bar.marker.has_value(); }))
        place(std::nullopt, picture.marker_name);
    top = corner.y() + text.height() + stacked_gap;
    const double axis_height = 2 * text.height() + 2 * stacked_gap;
    layout.row_height = std::ceil(text.height() * 1.5);
    layout.label_width = room_for_labels(picture, layout.text_font, size.width());
    layout.marker_half = layout.row_height * 0.28;
    layout.value_width =
        text.horizontalAdvance(QStringLiteral("00.0 ms")) + 2 * stacked_gap + layout.marker_half;
    // Only whole rows: half a row can't be read.
    const double whole_rows = std::floor((size.height() - top - axis_height) / layout.row_height);
    layout.rows = QRectF(0, top, size.width(), layout.row_height * std::max(1.0, whole_rows));
    layout.axis = QRectF(0, layout.rows.bottom(), size.width(), axis_height);
    return layout;
}

double whole_height(const StackedPicture& picture, double width, const QSizeF& tools) {
    const StackedLayout layout = lay_out_stacked(picture, {width, 100}, tools, 0);
    return layout.rows.top() + layout.row_height * static_cast<double>(picture.bars.size()) +
           layout.axis.height();
}

std::optional<StackedPlace> place_at(const StackedPicture& picture, const StackedPose& pose,
                                     const StackedLayout& layout, const QPointF& point) {
    if (!layout.rows.contains(point))
        return std::nullopt;
    for (std::size_t at = 0; at < picture.bars.size(); ++at) {
        const auto found = pose.bars.find(picture.bars[at].key);
        if (found == pose.bars.end() || !layout.row(found->second.row).contains(point))
            continue;
        StackedPlace place{at, std::nullopt};
        double end = 0;
        for (std::size_t term = 0; term < found->second.parts.size(); ++term) {
            const double begin = end;
            end += found->second.parts[term];
            if (point.x() >= layout.pixel(begin, pose) && point.x() < layout.pixel(end, pose))
                place.term = term;
        }
        return place;
    }
    return std::nullopt;
}

namespace {

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

/// A diamond with an outline that is visible on every colour.
void paint_marker(QPainter& painter, const QPointF& place, double half, const Theme& theme) {
    painter.setPen(QPen(theme.surface, 1.5));
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF({place + QPointF(0, -half), place + QPointF(half, 0),
                                   place + QPointF(0, half), place + QPointF(-half, 0)}));
}

/// For a marker beyond the end of the axis: it points to the right.
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
        // the first bar is drawn last, over the bars that it passes
        for (std::size_t bar = picture_.bars.size(); bar-- > 0;)
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
            painter_.drawText(entry.rect.adjusted(side + stacked_gap, 0, 0, 0),
                              Qt::AlignLeft | Qt::AlignVCenter,
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
            painter_.drawText(QRectF(x - 60, layout_.axis.top() + stacked_gap / 2, 120, text_.height()),
                              Qt::AlignCenter, tick.label);
        }
        painter_.setPen(theme_.dim_text);
        painter_.drawText(QRectF(area.left(), layout_.axis.top() + stacked_gap / 2 + text_.height(),
                                 area.width(), text_.height() + stacked_gap / 2),
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
        const double rank_width = width_of_ranks(picture_, text_);
        painter_.setPen(theme_.dim_text);
        painter_.drawText(QRectF(stacked_gap, row.top(), rank_width, row.height()),
                          Qt::AlignRight | Qt::AlignVCenter, QString::number(at + 1));
        double left = stacked_gap + rank_width + stacked_gap;
        const double side = std::round(text_.height());
        if (!bar.badge.isEmpty()) {
            const QRectF badge(left, row.center().y() - side / 2, side, side);
            paint_owner_badge(painter_, badge, owner_look(bar.badge_colour, theme_), bar.badge);
            painter_.setPen(theme_.dim_text);
        }
        left += side + stacked_gap;
        const QRectF room(left, row.top(), layout_.label_width - left - stacked_gap, row.height());
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
        paint_whisker(picture_.bars[at], row);
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

    void paint_whisker(const StackedBar& bar, const QRectF& row) {
        if (!bar.low || !bar.high)
            return;
        const double middle = row.center().y();
        const double cap = row.height() * 0.14;
        const double low = layout_.pixel(*bar.low, pose_);
        const double high = layout_.pixel(*bar.high, pose_);
        // Light below dark, so that it is seen on the bar and beyond it.
        for (const QPen& pen : {QPen(theme_.surface, 3.5), QPen(theme_.text, 1.5)}) {
            painter_.setPen(pen);
            painter_.drawLine(QLineF(low, middle, high, middle));
            for (const double end : {low, high})
                painter_.drawLine(QLineF(end, middle - cap, end, middle + cap));
        }
    }

    /// Shows that the bar continues.
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
        painter_.drawText(
            QRectF(layout_.area().right(), row.top(), layout_.value_width - stacked_gap, row.height()),
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
