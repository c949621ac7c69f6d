#include "widgets/schedule/storage/storage_picture.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

double StorageBar::bytes() const {
    double total = 0;
    for (const StorageSegment& segment : segments)
        total += static_cast<double>(segment.bytes);
    return total;
}

std::optional<StorageBarPlace> StorageBarsLayout::at(QPointF point) const {
    for (std::size_t bar = 0; bar < bars.size(); ++bar)
        for (std::size_t segment = 0; segment < bars[bar].segments.size(); ++segment)
            if (!bars[bar].segments[segment].isEmpty() && bars[bar].segments[segment].contains(point))
                return StorageBarPlace{bar, segment};
    return std::nullopt;
}

StorageBarsLayout lay_out_bars(const std::vector<StorageBar>& bars, const QRectF& area, double bar_height,
                               double step) {
    constexpr double sliver = 1;
    double largest = 0;
    for (const StorageBar& bar : bars)
        largest = std::max(largest, bar.bytes());
    StorageBarsLayout layout;
    for (std::size_t b = 0; b < bars.size(); ++b) {
        const double top = area.top() + static_cast<double>(b) * step;
        StorageBarsLayout::Bar placed{{area.left(), top, area.width(), bar_height}, 0, {}, {}};
        double left = area.left();
        for (const StorageSegment& segment : bars[b].segments) {
            const auto bytes = static_cast<double>(segment.bytes);
            const double width =
                segment.bytes == 0 || largest <= 0 ? 0 : std::max(sliver, bytes / largest * area.width());
            const double padding =
                segment.bytes == 0 ? 0 : static_cast<double>(segment.padding) / bytes * width;
            placed.segments.emplace_back(left, top, width, bar_height);
            placed.padding.emplace_back(left + width - padding, top, padding, bar_height);
            left += width;
        }
        placed.length = left - area.left();
        layout.bars.push_back(placed);
    }
    return layout;
}

namespace {

struct StorageText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::StorageBars)
};

QFontMetricsF body() {
    return QFontMetricsF(QApplication::font());
}

QFontMetricsF caption() {
    return QFontMetricsF(caption_font());
}

double bar_height() {
    return std::round(body().height() * 1.7);
}

double bar_step() {
    return bar_height() + 2 * grid_step;
}

/// The text colour that is legible on `background`.
QColor text_on(const QColor& background) {
    const double light = 0.299 * background.redF() + 0.587 * background.greenF() + 0.114 * background.blueF();
    return light > 0.55 ? QColor(0x14, 0x18, 0x20) : QColor(Qt::white);
}

} // namespace

struct StoragePainting::LegendItem {
    StorageSegment segment;
    bool is_padding = false;
    QString text;
    QPointF corner;
};

StoragePainting::StoragePainting(std::vector<StorageBar> bars, std::optional<std::size_t> reference)
    : bars_(std::move(bars))
    , reference_(reference.value_or(bars_.empty() ? 0 : bars_.size() - 1)) {
    for (const StorageBar& bar : bars_)
        for (const StorageSegment& segment : bar.segments)
            if (!segment.level.isEmpty() && std::ranges::find(levels_, segment.level) == levels_.end())
                levels_.push_back(segment.level);
}

QString StoragePainting::total_text(std::size_t place) const {
    const StorageBar& bar = bars_[place];
    constexpr double most = 1.8e19;
    return bar.bytes() < most ? bytes_text(bar.bytes()) : StorageText::tr("> %1").arg(bytes_text(most));
}

QString StoragePainting::ratio_text(std::size_t bar) const {
    const double reference = bars_[reference_].bytes();
    if (bar == reference_ || reference <= 0)
        return {};
    return StorageText::tr("%1× %2").arg(significant(bars_[bar].bytes() / reference),
                                         bars_[reference_].title);
}

double StoragePainting::label_width() const {
    double width = 0;
    for (const StorageBar& bar : bars_)
        width = std::max(width, body().horizontalAdvance(bar.title));
    return width + 2.5 * grid_step;
}

double StoragePainting::total_width() const {
    double width = 0;
    for (std::size_t b = 0; b < bars_.size(); ++b)
        width = std::max({width, body().horizontalAdvance(total_text(b)) * 1.08,
                          caption().horizontalAdvance(ratio_text(b))});
    return width + 2.5 * grid_step;
}

StorageBarsLayout StoragePainting::laid_out(QSizeF size) const {
    const double left = label_width();
    const double width = std::max(4.0 * grid_step, size.width() - left - total_width());
    return lay_out_bars(bars_, {left, static_cast<double>(grid_step), width, size.height()}, bar_height(),
                        bar_step());
}

QColor StoragePainting::colour_of(const StorageSegment& segment, const Theme& theme) const {
    if (segment.array == StorageArray::Values)
        return theme.accent;
    const auto level = std::ranges::find(levels_, segment.level) - levels_.begin();
    // Avoids the colours of winning and losing, and colours near the accent.
    constexpr std::array<std::size_t, 4> series{2, 3, 7, 5};
    const QColor colour = theme.series_colour(series[static_cast<std::size_t>(level) % series.size()]);
    return segment.array == StorageArray::Coordinates ? colour : mixed(colour, theme.surface, 0.45);
}

std::vector<StoragePainting::LegendItem> StoragePainting::legend(double width) const {
    std::vector<LegendItem> items;
    bool has_padding = false;
    for (const StorageBar& bar : bars_)
        for (const StorageSegment& segment : bar.segments) {
            has_padding = has_padding || segment.padding > 0;
            const auto is_same = [&](const LegendItem& item) {
                return item.segment.level == segment.level && item.segment.array == segment.array;
            };
            if (segment.bytes == 0 || std::ranges::any_of(items, is_same))
                continue;
            const QString name = segment.array == StorageArray::Values ? StorageText::tr("values")
                                 : segment.array == StorageArray::Coordinates
                                     ? StorageText::tr("%1 crd").arg(segment.level)
                                     : StorageText::tr("%1 pos").arg(segment.level);
            items.push_back({segment, false, name, {}});
        }
    std::ranges::stable_sort(
        items, {}, [](const LegendItem& item) { return item.segment.array == StorageArray::Values; });
    if (has_padding)
        items.push_back({{}, true, StorageText::tr("padding (stored zeros)"), {}});
    const QFontMetricsF metrics = caption();
    QPointF corner(label_width(), 0);
    for (LegendItem& item : items) {
        const double item_width = metrics.height() + metrics.horizontalAdvance(item.text) + 2.5 * grid_step;
        if (corner.x() + item_width > width && corner.x() > label_width())
            corner = {label_width(), corner.y() + metrics.height() + grid_step / 2.0};
        item.corner = corner;
        corner.rx() += item_width;
    }
    return items;
}

void StoragePainting::paint_bar(QPainter& painter, const StorageBarsLayout::Bar& place, std::size_t bar,
                                const Theme& theme, std::optional<StorageBarPlace> lit) const {
    painter.save();
    QPainterPath outline;
    outline.addRoundedRect(QRectF(place.track.topLeft(), QSizeF(place.length, place.track.height())), 4, 4);
    painter.setClipPath(outline);
    for (std::size_t s = 0; s < place.segments.size(); ++s) {
        const QRectF& box = place.segments[s];
        if (box.width() <= 0)
            continue;
        const StorageSegment& segment = bars_[bar].segments[s];
        QColor colour = colour_of(segment, theme);
        if (lit == StorageBarPlace{bar, s})
            colour = mixed(colour, theme.dark ? QColor(Qt::white) : QColor(Qt::black), 0.15);
        painter.fillRect(box, colour);
        const QRectF& zeros = place.padding[s];
        if (zeros.width() > 0) {
            painter.fillRect(zeros, mixed(colour, theme.surface, 0.72));
            painter.save();
            painter.setClipRect(zeros, Qt::IntersectClip);
            painter.setPen(QPen(mixed(colour, theme.surface, 0.25), 1.2));
            for (double x = zeros.left() - zeros.height(); x < zeros.right(); x += 7)
                painter.drawLine(QPointF(x, zeros.bottom()), QPointF(x + zeros.height(), zeros.top()));
            painter.restore();
        }
        painter.setPen(QPen(theme.surface, 1));
        if (s > 0 && box.width() > 3)
            painter.drawLine(box.topLeft(), box.bottomLeft());
        const QString name = segment.level.isEmpty() ? StorageText::tr("values")
                             : segment.array == StorageArray::Coordinates
                                 ? StorageText::tr("%1 crd").arg(segment.level)
                                 : StorageText::tr("%1 pos").arg(segment.level);
        const QString with_bytes =
            QStringLiteral("%1  %2").arg(name, bytes_text(static_cast<double>(segment.bytes)));
        const QRectF filled(box.topLeft(), QSizeF(box.width() - zeros.width(), box.height()));
        const QFontMetricsF metrics(painter.font());
        for (const QString& label : {with_bytes, name})
            if (metrics.horizontalAdvance(label) + 2 * grid_step < filled.width()) {
                painter.setPen(text_on(colour));
                painter.drawText(filled, Qt::AlignCenter, label);
                break;
            }
    }
    painter.restore();
}

void StoragePainting::paint_legend(QPainter& painter, double top, double width, const Theme& theme) const {
    const QFontMetricsF metrics = caption();
    painter.setFont(caption_font());
    for (const LegendItem& item : legend(width)) {
        const double side = std::round(metrics.height() * 0.7);
        const QRectF swatch(item.corner.x(), top + item.corner.y() + (metrics.height() - side) / 2, side,
                            side);
        if (item.is_padding) {
            painter.fillRect(swatch, mixed(theme.accent, theme.surface, 0.72));
            painter.save();
            painter.setClipRect(swatch);
            painter.setPen(QPen(mixed(theme.accent, theme.surface, 0.25), 1.2));
            for (double x = swatch.left() - side; x < swatch.right(); x += 4)
                painter.drawLine(QPointF(x, swatch.bottom()), QPointF(x + side, swatch.top()));
            painter.restore();
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour_of(item.segment, theme));
            painter.drawRoundedRect(swatch, 2, 2);
        }
        painter.setPen(theme.dim_text);
        painter.drawText(QPointF(swatch.right() + grid_step * 0.75, top + item.corner.y() + metrics.ascent()),
                         item.text);
    }
}

void StoragePainting::paint(QPainter& painter, QSizeF size, const Theme& theme,
                            std::optional<StorageBarPlace> lit) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const StorageBarsLayout layout = laid_out(size);
    for (std::size_t b = 0; b < bars_.size(); ++b) {
        const QRectF& track = layout.bars[b].track;
        const bool is_reference = b == reference_;
        painter.setFont(QApplication::font());
        painter.setPen(is_reference ? theme.dim_text : theme.text);
        painter.drawText(QRectF(0, track.top(), track.left() - 1.5 * grid_step, track.height()),
                         Qt::AlignRight | Qt::AlignVCenter, bars_[b].title);
        painter.setFont(caption_font());
        paint_bar(painter, layout.bars[b], b, theme, lit);

        const double left = track.left() + layout.bars[b].length + grid_step;
        const QString ratio = ratio_text(b);
        QFont bold = QApplication::font();
        bold.setWeight(QFont::DemiBold);
        const QRectF room(left, track.top(), size.width() - left, track.height());
        painter.setFont(bold);
        painter.setPen(is_reference ? theme.dim_text : theme.text);
        painter.drawText(ratio.isEmpty() ? room : room.adjusted(0, 0, 0, -room.height() / 2),
                         Qt::AlignLeft | Qt::AlignVCenter, total_text(b));
        painter.setFont(caption_font());
        painter.setPen(theme.dim_text);
        painter.drawText(room.adjusted(0, room.height() / 2, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, ratio);
    }
    paint_legend(painter, static_cast<double>(bars_.size()) * bar_step() + grid_step / 2.0, size.width(),
                 theme);
}

double StoragePainting::height(double width) const {
    if (bars_.empty())
        return 5 * body().height();
    const std::vector<LegendItem> items = legend(width);
    const double below = items.empty() ? 0 : items.back().corner.y() + caption().height() + grid_step;
    return static_cast<double>(bars_.size()) * bar_step() + grid_step + below;
}

} // namespace sparsight
