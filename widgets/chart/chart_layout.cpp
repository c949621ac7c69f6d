#include "widgets/chart/chart_layout.h"

#include "widgets/chart/bar_columns.h"
#include "widgets/look/number_text.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double margin = 8;
constexpr double label_gap = 6;       ///< between a label and its axis
constexpr double between_labels = 16; ///< along the x axis
constexpr std::size_t most_category_labels = 40;

/// Returns the lower edge of the legend.
double place_legend(ChartLayout& layout, const ChartContent& content, double top, double width,
                    const QFontMetricsF& metrics) {
    if (content.series.size() < 2)
        return top;
    const double height = metrics.height() + 4;
    double left = margin;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const double wanted =
            legend_swatch + legend_text_gap + metrics.horizontalAdvance(name_of(content.series[i])) + 4;
        const double extent = std::min(wanted, width - 2 * margin);
        if (left > margin && left + extent > width - margin) {
            left = margin;
            top += height;
        }
        layout.legend.push_back({i, QRectF(left, top, extent, height)});
        left += extent + 12;
    }
    return top + height + 4;
}

/// The categories of a bar chart, as long as there is room to read some of each.
bool place_categories(ChartLayout& layout, const ChartContent& content, const QFontMetricsF& metrics) {
    const std::vector<const BarSeries*> series = content.shown_bars();
    if (series.empty())
        return false;
    const ChartTransform& transform = layout.transform;
    const std::vector<Bar>& bars = series.front()->bars;
    const double place = transform.area.width() / (transform.x.high - transform.x.low);
    double widest = 0;
    for (const Bar& bar : bars)
        widest = std::max(widest, metrics.horizontalAdvance(bar.label));
    const bool readable = widest > 0 && place >= std::min(widest, 44.0) + 4;
    if (!readable || bars.size() > most_category_labels)
        return false;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double centre = transform.pixel_x(static_cast<double>(i) + 0.5);
        const QRectF rect(centre - place / 2 + 2, transform.area.bottom() + label_gap, place - 4,
                          metrics.height());
        if (centre < transform.area.left() || centre > transform.area.right())
            continue;
        layout.x_ticks.push_back({static_cast<double>(i) + 0.5,
                                  metrics.elidedText(bars[i].label, Qt::ElideMiddle, rect.width()), rect,
                                  centre});
    }
    return true;
}

/// Bars without categories are numbered from one, in the middle of their places.
std::vector<ChartTick> rank_ticks(const ChartScale& x, int wanted, const NumberStyle& style) {
    const ChartScale ranks{false, std::max(1.0, x.low + 0.5), std::max(1.5, x.high + 0.5)};
    std::vector<ChartTick> ticks = chart_ticks(ranks, ValueFormat::Count, wanted, style);
    if (x.low <= 0.5 && (ticks.empty() || ticks.front().value > 1))
        ticks.insert(ticks.begin(), {1, count_text(1, style)});
    for (ChartTick& tick : ticks)
        tick.value -= 0.5;
    std::erase_if(ticks, [&x](const ChartTick& tick) { return tick.value < x.low || tick.value > x.high; });
    return ticks;
}

/// At the right of the line of the y title, or on a line of its own where both are too long for one. Returns
/// the lower edge.
double place_reference(ChartLayout& layout, const ChartContent& content, double top, double right,
                       const QFontMetricsF& metrics) {
    const double below_title = std::max(top, layout.y_title.bottom());
    if (!content.reference || content.reference->label.isEmpty() || content.empty())
        return below_title;
    const double wanted =
        legend_swatch + legend_text_gap + metrics.horizontalAdvance(content.reference->label) + 1;
    const double width = std::min(wanted, right - margin);
    const double title_end = margin + metrics.horizontalAdvance(axis_title(content.y)) + between_labels;
    const bool fits_beside_title = layout.y_title.isEmpty() || title_end <= right - width;
    layout.reference = QRectF(right - width, fits_beside_title ? top : below_title, width, metrics.height());
    layout.y_title.setRight(std::min(layout.y_title.right(), fits_beside_title ? right - width : right));
    return layout.reference.bottom();
}

bool overlap(const std::vector<PlacedTick>& ticks) {
    double right = -HUGE_VAL;
    for (const PlacedTick& tick : ticks) {
        if (tick.label.isEmpty())
            continue;
        if (tick.label_rect.left() < right + between_labels / 2)
            return true;
        right = tick.label_rect.right();
    }
    return false;
}

void place_x_ticks(ChartLayout& layout, const ChartContent& content, double width,
                   const QFontMetricsF& metrics, const NumberStyle& style) {
    const ChartTransform& transform = layout.transform;
    for (int wanted = std::clamp(static_cast<int>(transform.area.width() / 72), 2, 12); wanted >= 1;
         --wanted) {
        layout.x_ticks.clear();
        const auto ticks = content.has_bars() ? rank_ticks(transform.x, wanted, style)
                                              : chart_ticks(transform.x, content.x.format, wanted, style);
        for (const ChartTick& tick : ticks) {
            const double pixel = transform.pixel_x(tick.value);
            const double extent = metrics.horizontalAdvance(tick.label) + 1;
            // At the edges of the chart a label moves inwards instead of being cut off.
            const double left = std::clamp(pixel - extent / 2, 2.0, std::max(2.0, width - extent - 2));
            layout.x_ticks.push_back(
                {tick.value, tick.label,
                 QRectF(left, transform.area.bottom() + label_gap, extent, metrics.height()), pixel});
        }
        if (!overlap(layout.x_ticks))
            return;
    }
}

/// One label alone tells no distance: then there are more marks, as far as they have room below each other.
std::vector<ChartTick> readable_ticks(const ChartScale& scale, ValueFormat format, double height,
                                      double line_height, const NumberStyle& style) {
    const auto labels = [](const std::vector<ChartTick>& ticks) {
        return std::ranges::count_if(ticks, [](const ChartTick& tick) { return !tick.label.isEmpty(); });
    };
    const int wanted = std::clamp(static_cast<int>(height / (2.6 * line_height)), 2, 8);
    std::vector<ChartTick> ticks = chart_ticks(scale, format, wanted, style);
    for (int more = wanted + 1; labels(ticks) < 2 && more <= 2 * wanted; ++more) {
        std::vector<ChartTick> closer = chart_ticks(scale, format, more, style);
        if (static_cast<double>(closer.size()) * line_height > height)
            break;
        ticks = std::move(closer);
    }
    return ticks;
}

} // namespace

ChartLayout lay_out_chart(const ChartContent& content, const ChartScale& x, const ChartScale& y,
                          const QSizeF& size, const QSizeF& tools, const ChartFonts& fonts,
                          const NumberStyle& style) {
    ChartLayout layout;
    const QFontMetricsF title(fonts.title);
    const QFontMetricsF caption(fonts.caption);
    double top = 4;
    if (!content.title.isEmpty()) {
        layout.title =
            QRectF(margin, top, std::max(0.0, size.width() - 2 * margin - tools.width()), title.height());
        top = layout.title.bottom() + 4;
    }
    const bool beside_tools = content.title.isEmpty();
    top = place_legend(layout, content, top, size.width() - (beside_tools ? tools.width() : 0), caption);
    const QString y_text = content.y.is_named_beside ? QString() : axis_title(content.y);
    const double right = size.width() - margin - (top < tools.height() ? tools.width() : 0);
    if (!y_text.isEmpty())
        layout.y_title = QRectF(margin, top, std::max(0.0, right - margin), caption.height());
    top = place_reference(layout, content, top, right, caption) + (y_text.isEmpty() ? 0 : 2);
    top += caption.height() / 2 + 2; // the upper half of the topmost label

    double bottom = size.height() - 4;
    const QString x_text = axis_title(content.x);
    if (!x_text.isEmpty())
        bottom -= caption.height() + 2;
    bottom -= caption.height() + label_gap;
    const double height = std::max(1.0, bottom - top);

    const std::vector<ChartTick> y_ticks =
        readable_ticks(y, content.y.format, height, caption.height(), style);
    double label_width = caption.horizontalAdvance(u'0');
    for (const ChartTick& tick : y_ticks)
        label_width = std::max(label_width, caption.horizontalAdvance(tick.label));
    const double left = std::ceil(margin + label_width + label_gap);
    layout.transform = {x, y,
                        QRectF(left, std::ceil(top),
                               std::max(1.0, std::floor(size.width() - left - 2 * margin)),
                               std::floor(height))};
    const QRectF& area = layout.transform.area;

    for (const ChartTick& tick : y_ticks) {
        const double pixel = layout.transform.pixel_y(tick.value);
        layout.y_ticks.push_back(
            {tick.value, tick.label,
             QRectF(margin, pixel - caption.height() / 2, label_width + 1, caption.height()), pixel});
    }
    if (!place_categories(layout, content, caption))
        place_x_ticks(layout, content, size.width(), caption, style);
    if (!x_text.isEmpty())
        layout.x_title = QRectF(area.left(), area.bottom() + label_gap + caption.height() + 2, area.width(),
                                caption.height());
    return layout;
}

namespace {

constexpr double reach = 20; ///< pixels from the mouse to a point

QString named(const QString& name, const QString& value) {
    return name.isEmpty() ? value : QStringLiteral("%1: %2").arg(name, value);
}

QString bar_value(const Bar& bar, ValueFormat format, const NumberStyle& style) {
    if (format == ValueFormat::Duration)
        return duration_with_spread(bar.value, bar.spread, style);
    QString text = value_text(bar.value, format, style);
    if (std::isfinite(bar.spread))
        text += QStringLiteral(" ± ") + value_text(bar.spread, format, style);
    return text;
}

std::optional<ChartHover> over_bars(const ChartContent& content, const ChartTransform& transform,
                                    const QPointF& mouse, const NumberStyle& style) {
    const std::vector<const BarSeries*> series = content.shown_bars();
    const auto place = bar_at(series, mouse.x(), transform);
    if (!place)
        return std::nullopt;
    const Bar& bar = series[place->series]->bars[place->bar];
    const auto [left, right] = bar_extent(place->series, series.size(), place->bar, transform);
    ChartHover hover;
    const double top = transform.pixel_y(bar.value);
    hover.place = {(left + right) / 2, std::isfinite(top) ? top : transform.area.bottom()};
    hover.title = bar.label;
    hover.lines.push_back(
        {bar.colour, named(series[place->series]->name, bar_value(bar, content.y.format, style))});
    if (content.y.format == ValueFormat::Speedup && std::isfinite(bar.value))
        hover.lines.push_back({std::nullopt, percent_text(bar.value - 1, style)});
    if (!bar.note.isEmpty())
        hover.lines.push_back({std::nullopt, bar.note});
    hover.key = bar.key;
    return hover;
}

/// A bin holds its lower edge and not its upper one, which of whole numbers leaves the one below it.
QString bin_text(double lower, double upper, ValueFormat format, const NumberStyle& style) {
    const double last = format == ValueFormat::Count ? upper - 1 : upper;
    const QString from = value_text(lower, format, style);
    return last > lower ? QStringLiteral("%1 – %2").arg(from, value_text(last, format, style)) : from;
}

std::optional<ChartHover> over_histogram(const ChartContent& content, const Histogram& histogram,
                                         const ChartTransform& transform, const QPointF& mouse,
                                         const NumberStyle& style) {
    const double x = transform.value_x(mouse.x());
    const auto above = std::upper_bound(histogram.edges.begin(), histogram.edges.end(), x);
    if (above == histogram.edges.begin() || above == histogram.edges.end())
        return std::nullopt;
    const auto i = static_cast<std::size_t>(above - histogram.edges.begin()) - 1;
    if (i >= histogram.counts.size())
        return std::nullopt;
    ChartHover hover;
    const double left = transform.pixel_x(histogram.edges[i]);
    const double right = transform.pixel_x(histogram.edges[i + 1]);
    const double top = transform.pixel_y(histogram.counts[i]);
    hover.place = {std::isfinite(left) ? (left + right) / 2 : right,
                   std::isfinite(top) ? top : transform.area.bottom()};
    hover.title = bin_text(histogram.edges[i], histogram.edges[i + 1], content.x.format, style);
    hover.lines.push_back(
        {histogram.colour, named(histogram.name, value_text(histogram.counts[i], content.y.format, style))});
    return hover;
}

/// The point of a line whose x is nearest; NaN is passed over.
std::optional<std::size_t> nearest_x(const LineSeries& line, const ChartTransform& transform, double pixel) {
    const double x = transform.value_x(pixel);
    const auto start = std::lower_bound(line.x.begin(), line.x.end(), x) - line.x.begin();
    std::optional<std::size_t> best;
    const auto consider = [&](std::ptrdiff_t i) {
        const auto at = static_cast<std::size_t>(i);
        if (!best || std::abs(transform.pixel_x(line.x[at]) - pixel) <
                         std::abs(transform.pixel_x(line.x[*best]) - pixel))
            best = at;
    };
    const auto count = static_cast<std::ptrdiff_t>(line.x.size());
    for (auto i = start; i < count; ++i)
        if (std::isfinite(line.y[static_cast<std::size_t>(i)])) {
            consider(i);
            break;
        }
    for (auto i = start - 1; i >= 0; --i)
        if (std::isfinite(line.y[static_cast<std::size_t>(i)])) {
            consider(i);
            break;
        }
    return best;
}

/// The point whose value the line has at x, within a pixel of it.
std::optional<std::size_t> point_at(const LineSeries& line, const ChartTransform& transform, double pixel) {
    const auto nearest = nearest_x(line, transform, pixel);
    if (!nearest || std::abs(transform.pixel_x(line.x[*nearest]) - pixel) <= 1)
        return nearest;
    if (!line.is_held || line.x.empty() || transform.pixel_x(line.x.back()) < pixel - 1)
        return std::nullopt;
    for (std::size_t at = *nearest + 1; at-- > 0;)
        if (transform.pixel_x(line.x[at]) <= pixel && std::isfinite(line.y[at]))
            return at;
    return std::nullopt;
}

/// The marks that stand where the lines are read.
void name_marks(ChartHover& hover, const ChartContent& content, const ChartTransform& transform,
                double pixel) {
    constexpr double near = 3;
    for (std::size_t i = 0; i < content.series.size(); ++i)
        if (const auto* const marks = std::get_if<ScatterSeries>(&content.series[i]);
            marks != nullptr && marks->is_mark && content.shown(i))
            for (const ScatterPoint& mark : marks->points)
                if (std::abs(transform.pixel_x(mark.x) - pixel) <= near)
                    hover.lines.push_back({mark.colour.value_or(marks->colour),
                                           mark.label.isEmpty() ? marks->name : mark.label});
}

std::optional<ChartHover> over_lines(const ChartContent& content, const ChartTransform& transform,
                                     const QPointF& mouse, const NumberStyle& style) {
    std::optional<double> snapped; // the x that is nearest among all lines
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const auto* const line = std::get_if<LineSeries>(&content.series[i]);
        if (line == nullptr || !content.shown(i))
            continue;
        if (const auto at = nearest_x(*line, transform, mouse.x())) {
            const double away = std::abs(transform.pixel_x(line->x[*at]) - mouse.x());
            if (away < least) {
                least = away;
                snapped = line->x[*at];
            }
        }
    }
    if (!snapped)
        return std::nullopt;
    ChartHover hover;
    const double pixel = transform.pixel_x(*snapped);
    hover.title = named(content.x.title,
                        value_text(*snapped,
                                   content.x.format == ValueFormat::Number && *snapped == std::round(*snapped)
                                       ? ValueFormat::Count
                                       : content.x.format,
                                   style));
    double nearest = HUGE_VAL;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const auto* const line = std::get_if<LineSeries>(&content.series[i]);
        if (line == nullptr || !content.shown(i))
            continue;
        const auto at = point_at(*line, transform, pixel);
        if (!at)
            continue; // this line has no value here
        const double value = content.smooth[i].empty() ? line->y[*at] : content.smooth[i][*at];
        QString text = value_text(value, content.y.format, style);
        if (!content.smooth[i].empty())
            text += QStringLiteral(" (%1)").arg(value_text(line->y[*at], content.y.format, style));
        hover.lines.push_back({line->colour, named(line->name, text)});
        const double y = transform.pixel_y(value);
        if (std::abs(y - mouse.y()) < nearest) {
            nearest = std::abs(y - mouse.y());
            hover.place = {pixel, y};
            hover.key = nearest < reach ? line->key : QVariant();
        }
    }
    if (hover.lines.empty())
        return std::nullopt;
    name_marks(hover, content, transform, pixel);
    return hover;
}

std::optional<ChartHover> over_points(const ChartContent& content, const ChartTransform& transform,
                                      const QPointF& mouse, const NumberStyle& style) {
    const ScatterPoint* best = nullptr;
    const ScatterSeries* owner = nullptr;
    double least = reach;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const auto* const scatter = std::get_if<ScatterSeries>(&content.series[i]);
        if (scatter == nullptr || scatter->is_mark || !content.shown(i))
            continue;
        for (const ScatterPoint& point : scatter->points) {
            const double away =
                std::hypot(transform.pixel_x(point.x) - mouse.x(), transform.pixel_y(point.y) - mouse.y());
            if (away <= least) {
                least = away;
                best = &point;
                owner = scatter;
            }
        }
    }
    if (best == nullptr)
        return std::nullopt;
    ChartHover hover;
    hover.place = {transform.pixel_x(best->x), transform.pixel_y(best->y)};
    hover.title = best->label.isEmpty() ? owner->name : best->label;
    hover.lines.push_back({best->colour.value_or(owner->colour),
                           named(content.y.title, value_text(best->y, content.y.format, style))});
    hover.lines.push_back(
        {std::nullopt, named(content.x.title, value_text(best->x, content.x.format, style))});
    hover.key = best->key;
    return hover;
}

} // namespace

std::optional<ChartHover> hover_at(const ChartContent& content, const ChartTransform& transform,
                                   const QPointF& mouse, const NumberStyle& style) {
    if (!transform.area.contains(mouse))
        return std::nullopt;
    if (content.has_bars())
        return over_bars(content, transform, mouse, style);
    if (auto point = over_points(content, transform, mouse, style))
        return point;
    for (std::size_t i = 0; i < content.series.size(); ++i)
        if (const auto* const histogram = std::get_if<Histogram>(&content.series[i]);
            histogram != nullptr && content.shown(i))
            return over_histogram(content, *histogram, transform, mouse, style);
    return over_lines(content, transform, mouse, style);
}

} // namespace sparsight
