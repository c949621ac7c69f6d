#include "widgets/chart/stacked_scene.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double gap = 6;

double legend_item_width(const QFontMetricsF& metrics, const QString& text) {
    return metrics.height() * 0.8 + gap + metrics.horizontalAdvance(text) + 2 * gap;
}

/// The longest label, but not more than half of the room.
double room_for_labels(const StackedPicture& picture, const QFontMetricsF& metrics, double width) {
    double longest = 0;
    for (const StackedBar& bar : picture.bars)
        longest = std::max(longest, metrics.horizontalAdvance(bar.label));
    const double badge_and_rank = metrics.height() + metrics.horizontalAdvance(QStringLiteral("00  "));
    return std::min(1.06 * longest + badge_and_rank + 4 * gap, 0.48 * width); // the first one is bold
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
    double top = gap;
    if (!picture.title.isEmpty()) {
        layout.title = QRectF(gap, top, size.width() - 2 * gap - tools.width(), title.height());
        top = layout.title.bottom() + gap;
    }
    QPointF corner(gap, top);
    const auto place = [&](std::optional<std::size_t> term, const QString& name) {
        const double width = legend_item_width(text, name);
        const double end = size.width() - (picture.title.isEmpty() ? tools.width() : 0);
        if (corner.x() + width > end && corner.x() > gap)
            corner = {gap, corner.y() + text.height() + 2};
        layout.legend.push_back({term, QRectF(corner, QSizeF(width, text.height()))});
        corner.rx() += width;
    };
    for (std::size_t term = 0; term < picture.terms.size(); ++term)
        place(term, picture.terms[term].name);
    if (std::ranges::any_of(picture.bars, [](const StackedBar& bar) { return bar.marker.has_value(); }))
        place(std::nullopt, picture.marker_name);
    top = corner.y() + text.height() + gap;
    const double axis_height = 2 * text.height() + 2 * gap;
    layout.row_height = std::ceil(text.height() * 1.5);
    layout.label_width = room_for_labels(picture, text, size.width());
    layout.marker_half = layout.row_height * 0.28;
    layout.value_width = text.horizontalAdvance(QStringLiteral("00.0 ms")) + 2 * gap + layout.marker_half;
    // Only whole rows: of half a row nothing can be read.
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

} // namespace sparsight
