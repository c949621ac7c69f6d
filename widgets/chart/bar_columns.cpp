#include "widgets/chart/bar_columns.h"

#include <QLineF>
#include <QList>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double group_gap = 0.16; ///< of the place of a bar, together on both sides
constexpr double narrowest_bar = 2;
constexpr double widest_bar = 56;

double start_pixel(const ChartTransform& transform, double baseline) {
    const double start = transform.pixel_y(baseline);
    return std::isfinite(start) ? start : transform.area.bottom(); // no zero on a logarithmic axis
}

QRectF upright(double left, double right, double from, double to) {
    return {QPointF(left, std::min(from, to)), QPointF(right, std::max(from, to))};
}

/// How far a value is from the baseline on the screen; NaN is nearer than anything.
double distance(const ChartScale& y, double value, double baseline) {
    const double from = y.drawn(baseline);
    const double there = y.drawn(value);
    if (!std::isfinite(there))
        return -1;
    return std::abs(there - (std::isfinite(from) ? from : y.low));
}

void add_single(std::vector<BarColumn>& columns, const BarSeries& bars, std::size_t index, std::size_t count,
                std::size_t bar, const ChartTransform& transform) {
    const double top = transform.pixel_y(bars.bars[bar].value);
    if (!std::isfinite(top))
        return;
    const auto [left, right] = bar_extent(index, count, bar, transform);
    columns.push_back(
        {upright(left, right, start_pixel(transform, bars.baseline), top), index, bar, bar, bar});
}

void add_shared(std::vector<BarColumn>& columns, const BarSeries& bars, std::size_t index, std::size_t first,
                std::size_t last, double pixel, const ChartTransform& transform) {
    std::size_t shown = first;
    for (std::size_t i = first; i <= last; ++i)
        if (distance(transform.y, bars.bars[i].value, bars.baseline) >
            distance(transform.y, bars.bars[shown].value, bars.baseline))
            shown = i;
    const double top = transform.pixel_y(bars.bars[shown].value);
    if (std::isfinite(top))
        columns.push_back({upright(pixel, pixel + 1, start_pixel(transform, bars.baseline), top), index,
                           first, last, shown});
}

} // namespace

BarExtent bar_extent(std::size_t series, std::size_t series_count, std::size_t bar,
                     const ChartTransform& transform) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, series_count));
    const double place = transform.area.width() / (transform.x.high - transform.x.low);
    const double width = std::min((1 - group_gap) * place / count, widest_bar);
    const double left =
        transform.pixel_x(static_cast<double>(bar) + 0.5) + width * (static_cast<double>(series) - count / 2);
    return {left, left + width};
}

std::vector<BarColumn> bar_columns(std::span<const BarSeries* const> series,
                                   const ChartTransform& transform) {
    std::vector<BarColumn> columns;
    if (series.empty() || !(transform.area.width() > 0))
        return columns;
    const double bar_width =
        transform.area.width() / (transform.x.high - transform.x.low) / static_cast<double>(series.size());
    for (std::size_t index = 0; index < series.size(); ++index) {
        const BarSeries& bars = *series[index];
        const auto bar_count = static_cast<double>(bars.bars.size());
        const auto first = static_cast<std::size_t>(std::clamp(std::floor(transform.x.low), 0.0, bar_count));
        const auto end = static_cast<std::size_t>(std::clamp(std::ceil(transform.x.high), 0.0, bar_count));
        if (bar_width >= narrowest_bar) {
            for (std::size_t bar = first; bar < end; ++bar)
                add_single(columns, bars, index, series.size(), bar, transform);
            continue;
        }
        for (std::size_t bar = first; bar < end;) {
            const double pixel = std::floor(transform.pixel_x(static_cast<double>(bar) + 0.5));
            std::size_t last = bar;
            while (last + 1 < end && std::floor(transform.pixel_x(static_cast<double>(last) + 1.5)) == pixel)
                ++last;
            add_shared(columns, bars, index, bar, last, pixel, transform);
            bar = last + 1;
        }
        // With one to two pixels a bar some columns of pixels have no centre of a bar: close the gaps.
        for (std::size_t i = 1; i < columns.size(); ++i)
            if (columns[i].series == index && columns[i - 1].series == index)
                columns[i - 1].rect.setRight(
                    std::min(columns[i].rect.left(), columns[i - 1].rect.left() + 2));
    }
    return columns;
}

std::vector<BarColumn> histogram_columns(const Histogram& histogram, const ChartTransform& transform) {
    std::vector<BarColumn> columns;
    if (histogram.edges.size() < 2)
        return columns;
    const std::size_t count = std::min(histogram.counts.size(), histogram.edges.size() - 1);
    for (std::size_t i = 0; i < count; ++i) {
        if (!(histogram.counts[i] > 0))
            continue;
        double left = transform.pixel_x(histogram.edges[i]);
        if (!std::isfinite(left)) // the bar from zero on a logarithmic axis starts at its end
            left = transform.area.left();
        const double right = transform.pixel_x(histogram.edges[i + 1]);
        if (!(right > left) || right < transform.area.left() || left > transform.area.right())
            continue;
        const double gap = right - left > 4 ? 0.5 : 0;
        columns.push_back({upright(left + gap, std::max(right - gap, left + gap + 0.5),
                                   start_pixel(transform, 0), transform.pixel_y(histogram.counts[i])),
                           0, i, i, i});
    }
    return columns;
}

std::optional<BarPlace> bar_at(std::span<const BarSeries* const> series, double pixel,
                               const ChartTransform& transform) {
    const double x = transform.value_x(pixel);
    if (series.empty() || !(x >= 0) || !(x < 1e9))
        return std::nullopt;
    const auto bar = static_cast<std::size_t>(x);
    const auto [left, right] = bar_extent(0, series.size(), bar, transform);
    const auto last = static_cast<double>(series.size()) - 1;
    const auto index =
        static_cast<std::size_t>(std::clamp(std::floor((pixel - left) / (right - left)), 0.0, last));
    if (bar >= series[index]->bars.size())
        return std::nullopt;
    return BarPlace{index, bar};
}

std::optional<QRectF> bars_of_key(std::span<const BarSeries* const> series, const QVariant& key,
                                  const ChartTransform& transform) {
    std::optional<QRectF> all;
    for (std::size_t index = 0; index < series.size(); ++index)
        for (std::size_t bar = 0; bar < series[index]->bars.size(); ++bar) {
            const Bar& one = series[index]->bars[bar];
            const double end = transform.pixel_y(one.value);
            if (one.key != key || !std::isfinite(end))
                continue;
            const auto [left, right] = bar_extent(index, series.size(), bar, transform);
            const QRectF rect = upright(left, right, start_pixel(transform, series[index]->baseline), end);
            // Not united(): a bar of no height is a place all the same.
            all = !all ? rect
                       : QRectF(QPointF(std::min(all->left(), rect.left()), std::min(all->top(), rect.top())),
                                QPointF(std::max(all->right(), rect.right()),
                                        std::max(all->bottom(), rect.bottom())));
        }
    return all;
}

QList<QLineF> hatch_lines(const QRectF& rect, double spacing) {
    QList<QLineF> lines;
    if (rect.isEmpty() || !(spacing > 0))
        return lines;
    // Lines x + y = c. They start from a grid of the whole picture so that neighbours fit together.
    const double last = rect.right() + rect.bottom();
    for (double c = std::ceil((rect.left() + rect.top()) / spacing) * spacing; c < last; c += spacing) {
        const double left = std::max(rect.left(), c - rect.bottom());
        const double right = std::min(rect.right(), c - rect.top());
        if (right > left)
            lines.push_back({left, c - left, right, c - right});
    }
    return lines;
}

} // namespace sparsight
