#include "widgets/chart/plots/lane_picture.h"

#include "widgets/chart/bar_columns.h"
#include "widgets/chart/chart_painting.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double lane_gap = 6;
constexpr double highest_lane = 96;
/// Bars that are narrower do not have a colour of their own.
constexpr double least_width = 1.5;
constexpr double least_hatched = 5;
constexpr double lane_hatch_spacing = 6;

} // namespace

ChartScale whole_scale(const LanePicture& picture) {
    double last = 0;
    for (const LaneGroup& group : picture.groups)
        last = std::max(last, group.total);
    return {false, 0, last > 0 ? 1.01 * last : 1};
}

double LaneLayout::value(double pixel) const {
    return scale.value(scale.low + (pixel - area.left()) / area.width() * (scale.high - scale.low));
}

QRectF LaneLayout::lane(std::size_t group, std::size_t lane) const {
    const double inset = lane_height >= 6 ? 1.5 : lane_height >= 3 ? 0.5 : 0;
    return QRectF(area.left(), groups[group].top() + static_cast<double>(lane) * lane_height, area.width(),
                  lane_height)
        .adjusted(0, inset, 0, -inset);
}

LaneLayout lay_out_lanes(const LanePicture& picture, const QSizeF& size, const QSizeF& tools,
                         const ChartScale& scale) {
    LaneLayout layout;
    layout.fonts = {title_font(), caption_font()};
    layout.scale = scale;
    const QFontMetricsF text(layout.fonts.caption);
    double top = lane_gap;
    if (!picture.title.isEmpty()) {
        layout.title = QRectF(lane_gap, top, size.width() - 2 * lane_gap - tools.width(),
                              QFontMetricsF(layout.fonts.title).height());
        top = layout.title.bottom() + lane_gap;
    }
    std::size_t lanes = 0;
    for (const LaneGroup& group : picture.groups)
        lanes += group.lanes;
    const double left =
        std::max(text.horizontalAdvance(QStringLiteral("000")), text.horizontalAdvance(picture.lane_title)) +
        2 * lane_gap;
    const double bottom = size.height() - 2 * text.height() - 2.5 * lane_gap;
    const double caption = text.height() + lane_gap;
    const double room = bottom - top - (caption + lane_gap) * static_cast<double>(picture.groups.size());
    layout.lane_height =
        std::clamp(room / static_cast<double>(std::max<std::size_t>(1, lanes)), 0.5, highest_lane);
    layout.area = QRectF(left, top, std::max(1.0, size.width() - left - 2 * lane_gap), 0);
    for (const LaneGroup& group : picture.groups) {
        layout.captions.emplace_back(lane_gap, top,
                                     size.width() - 2 * lane_gap - (top < tools.height() ? tools.width() : 0),
                                     text.height());
        top += caption;
        layout.groups.emplace_back(left, top, layout.area.width(),
                                   layout.lane_height * static_cast<double>(group.lanes));
        top = layout.groups.back().bottom() + lane_gap;
    }
    layout.area.setBottom(top);
    layout.axis = QRectF(left, top, layout.area.width(), 2 * text.height() + lane_gap);
    return layout;
}

std::optional<LaneHit> lane_at(const LanePicture& picture, const LaneLayout& layout, const QPointF& point) {
    for (std::size_t at = 0; at < layout.groups.size(); ++at) {
        if (!layout.groups[at].contains(point))
            continue;
        const LaneGroup& group = picture.groups[at];
        const auto lane =
            static_cast<std::size_t>((point.y() - layout.groups[at].top()) / layout.lane_height);
        LaneHit hit{at, std::min(lane, group.lanes - 1), layout.value(point.x()), std::nullopt};
        for (std::size_t bar = 0; bar < group.bars.size(); ++bar)
            if (group.bars[bar].lane == hit.lane && group.bars[bar].begin <= hit.time &&
                hit.time < group.bars[bar].end)
                hit.bar = bar;
        return hit;
    }
    return std::nullopt;
}

std::vector<std::pair<double, double>> busy_stretches(const LaneGroup& group, std::size_t lane,
                                                      const LaneLayout& layout) {
    constexpr double touching = 0.25; // pixels
    std::vector<std::pair<double, double>> stretches;
    for (const LaneBar& bar : group.bars) {
        const double begin = layout.pixel(bar.begin);
        const double end = layout.pixel(bar.end);
        if (bar.lane != lane || end < layout.area.left() || begin > layout.area.right())
            continue;
        if (!stretches.empty() && begin - stretches.back().second < touching)
            stretches.back().second = end;
        else
            stretches.emplace_back(begin, end);
    }
    return stretches;
}

namespace {

class LanePainter {
public:
    LanePainter(QPainter& painter, const LanePicture& picture, const LaneLayout& layout, const Theme& theme)
        : painter_(painter)
        , picture_(picture)
        , layout_(layout)
        , theme_(theme)
        , text_(layout.fonts.caption) {}

    void paint(const std::optional<LaneHit>& lit) {
        painter_.save();
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_title();
        for (std::size_t group = 0; group < picture_.groups.size(); ++group)
            paint_group(group);
        paint_axis();
        if (lit && lit->bar)
            paint_lit(*lit);
        painter_.restore();
    }

private:
    void paint_title() {
        if (picture_.title.isEmpty())
            return;
        painter_.setFont(layout_.fonts.title);
        painter_.setPen(theme_.text);
        painter_.drawText(layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(layout_.fonts.title)
                              .elidedText(picture_.title, Qt::ElideRight, layout_.title.width()));
    }

    void paint_group(std::size_t at) {
        const LaneGroup& group = picture_.groups[at];
        painter_.setFont(layout_.fonts.caption);
        painter_.setPen(theme_.text);
        painter_.drawText(layout_.captions[at], Qt::AlignLeft | Qt::AlignVCenter,
                          text_.elidedText(group.name, Qt::ElideRight, layout_.captions[at].width()));
        paint_numbers(at);
        painter_.save();
        painter_.setClipRect(layout_.groups[at]);
        for (std::size_t lane = 0; lane < group.lanes; ++lane)
            paint_lane(at, lane);
        painter_.restore();
        const double end = layout_.pixel(group.total);
        if (end >= layout_.area.left() && end <= layout_.area.right()) {
            painter_.setPen(QPen(theme_.dim_text, 1, Qt::DashLine));
            painter_.drawLine(QPointF(crisp(end), layout_.groups[at].top() - lane_gap / 2),
                              QPointF(crisp(end), layout_.groups[at].bottom() + lane_gap / 2));
        }
    }

    /// As many as there is room for, among them always the first.
    void paint_numbers(std::size_t at) {
        const LaneGroup& group = picture_.groups[at];
        std::size_t step = 1;
        for (const std::size_t wider : {2U, 4U, 8U, 16U, 32U, 64U, 128U, 256U})
            if (layout_.lane_height * static_cast<double>(step) < text_.height())
                step = wider;
        painter_.setPen(theme_.dim_text);
        for (std::size_t lane = 0; lane < group.lanes; lane += step) {
            QRectF place = layout_.lane(at, lane);
            place.setTop(std::max(place.center().y() - text_.height() / 2, layout_.groups[at].top() - 2));
            place.setHeight(text_.height());
            place.setLeft(0);
            place.setRight(layout_.area.left() - lane_gap);
            painter_.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                              count_text(static_cast<qint64>(lane) + 1));
        }
    }

    void paint_lane(std::size_t at, std::size_t lane) {
        const LaneGroup& group = picture_.groups[at];
        const QRectF place = layout_.lane(at, lane);
        const auto between = [&](double begin, double end) {
            return QRectF(QPointF(begin, place.top()), QPointF(std::max(end, begin + 0.5), place.bottom()));
        };
        painter_.fillRect(between(layout_.pixel(0), layout_.pixel(group.total)),
                          mixed(theme_.surface, theme_.grid, 0.5));
        if (group.opening > 0)
            painter_.fillRect(between(layout_.pixel(0), layout_.pixel(group.opening)),
                              mixed(theme_.surface, theme_.reference, 0.4));
        const QColor strong = theme_.series_colour(0);
        const QColor pale = mixed(strong, theme_.surface, 0.4);
        for (const auto& [begin, end] : busy_stretches(group, lane, layout_))
            painter_.fillRect(between(begin, end), pale);
        bool is_odd = false;
        for (const LaneBar& bar : group.bars) {
            if (bar.lane != lane)
                continue;
            is_odd = !is_odd;
            const double begin = layout_.pixel(bar.begin);
            const double end = layout_.pixel(bar.end);
            if (end < layout_.area.left() || begin > layout_.area.right())
                continue;
            if (is_odd && end - begin >= least_width)
                painter_.fillRect(between(begin, end), strong);
        }
        if (group.hatched)
            hatch(group, lane, place);
    }

    void hatch(const LaneGroup& group, std::size_t lane, const QRectF& place) {
        if (place.height() < least_hatched)
            return;
        QColor line = theme_.surface;
        line.setAlphaF(0.55F);
        painter_.setPen(QPen(line, 1));
        for (const auto& [begin, end] : busy_stretches(group, lane, layout_)) {
            const QRectF seen =
                QRectF(QPointF(begin, place.top()), QPointF(end, place.bottom())).intersected(layout_.area);
            if (seen.width() >= least_hatched)
                painter_.drawLines(hatch_lines(seen, lane_hatch_spacing));
        }
    }

    void paint_axis() {
        const QRectF& area = layout_.area;
        painter_.setFont(layout_.fonts.caption);
        const int wanted = std::clamp(static_cast<int>(area.width() / 72), 2, 12);
        painter_.setPen(QPen(theme_.border, 1));
        painter_.drawLine(QPointF(area.left(), crisp(area.bottom())),
                          QPointF(area.right(), crisp(area.bottom())));
        for (const ChartTick& tick :
             chart_ticks(layout_.scale, picture_.x.format, wanted, current_number_style())) {
            const double x = layout_.pixel(tick.value);
            if (tick.label.isEmpty() || x < area.left() - 1 || x > area.right() + 1)
                continue;
            painter_.setPen(QPen(theme_.border, 1));
            painter_.drawLine(QPointF(crisp(x), area.bottom()), QPointF(crisp(x), area.bottom() + 4));
            painter_.setPen(theme_.dim_text);
            const double extent = text_.horizontalAdvance(tick.label) + 1;
            const double left = std::min(x - extent / 2, area.right() + 2 * lane_gap - extent);
            painter_.drawText(QRectF(left, area.bottom() + 5, extent, text_.height()), Qt::AlignCenter,
                              tick.label);
        }
        painter_.setPen(theme_.dim_text);
        const QRectF titles(0, layout_.axis.bottom() - text_.height(), area.right(), text_.height());
        painter_.drawText(titles.adjusted(area.left(), 0, 0, 0), Qt::AlignCenter, axis_title(picture_.x));
        // Not beside the ticks, where "Thread 0" would be read.
        painter_.drawText(QRectF(0, titles.top(), area.left() - lane_gap, titles.height()), Qt::AlignRight,
                          picture_.lane_title);
    }

    void paint_lit(const LaneHit& lit) {
        const LaneBar& bar = picture_.groups[lit.group].bars[*lit.bar];
        const QRectF place = layout_.lane(lit.group, lit.lane);
        painter_.setClipRect(layout_.groups[lit.group]);
        painter_.setPen(QPen(theme_.text, 1.5));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(QRectF(
            QPointF(layout_.pixel(bar.begin), place.top() + 0.75),
            QPointF(std::max(layout_.pixel(bar.end), layout_.pixel(bar.begin) + 2), place.bottom() - 0.75)));
    }

    QPainter& painter_;
    const LanePicture& picture_;
    const LaneLayout& layout_;
    const Theme& theme_;
    QFontMetricsF text_;
};

} // namespace

void paint_lanes(QPainter& painter, const LanePicture& picture, const LaneLayout& layout, const Theme& theme,
                 const std::optional<LaneHit>& lit) {
    LanePainter(painter, picture, layout, theme).paint(lit);
}

} // namespace sparsight
