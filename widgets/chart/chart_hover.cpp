#include "widgets/chart/chart_hover.h"

#include "widgets/chart/bar_columns.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double reach = 20; ///< pixels from the mouse to a point

QString named(const QString& name, const QString& value) {
    return name.isEmpty() ? value : QStringLiteral("%1: %2").arg(name, value);
}

QString bar_value(const Bar& bar, ValueFormat format, const NumberStyle& style) {
    if (format == ValueFormat::Duration)
        return runtime_with_spread(bar.value, bar.spread, style);
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
    const QRectF& area = transform.area;
    if (content.has_bars()) { // their names stand below, and may be elided
        const bool is_over_place =
            mouse.x() >= area.left() && mouse.x() <= area.right() && mouse.y() >= area.top();
        return is_over_place ? over_bars(content, transform, mouse, style) : std::nullopt;
    }
    if (!area.contains(mouse))
        return std::nullopt;
    if (auto point = over_points(content, transform, mouse, style))
        return point;
    for (std::size_t i = 0; i < content.series.size(); ++i)
        if (const auto* const histogram = std::get_if<Histogram>(&content.series[i]);
            histogram != nullptr && content.shown(i))
            return over_histogram(content, *histogram, transform, mouse, style);
    return over_lines(content, transform, mouse, style);
}

} // namespace sparsight
