#include "widgets/chart/chart_curves.h"

#include "widgets/chart/chart_painting.h"
#include "widgets/look/theme.h"

#include <QChart>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>

namespace sparsight {

namespace {

/// The points of one column of pixels in their original order.
class Column {
public:
    void add(const QPointF& point) {
        if (count_ == 0)
            first_ = lowest_ = highest_ = {point, 0};
        if (point.y() < lowest_.point.y())
            lowest_ = {point, count_};
        if (point.y() > highest_.point.y())
            highest_ = {point, count_};
        last_ = {point, count_};
        ++count_;
    }

    void flush(QList<QPointF>& line) {
        if (count_ == 0)
            return;
        const bool low_first = lowest_.place <= highest_.place;
        qsizetype written = -1;
        for (const Entry& entry :
             {first_, low_first ? lowest_ : highest_, low_first ? highest_ : lowest_, last_}) {
            if (entry.place == written)
                continue;
            line.push_back(entry.point);
            written = entry.place;
        }
        count_ = 0;
    }

private:
    struct Entry {
        QPointF point;
        qsizetype place = 0;
    };
    Entry first_;
    Entry lowest_;
    Entry highest_;
    Entry last_;
    qsizetype count_ = 0;
};

} // namespace

QList<QPointF> decimated_line(std::span<const double> x, std::span<const double> y, const ChartScale& x_scale,
                              const ChartScale& y_scale, int columns) {
    QList<QPointF> line;
    const std::size_t count = std::min(x.size(), y.size());
    if (columns < 1 || count == 0)
        return line;
    const double left = x_scale.value(x_scale.low);
    const double right = x_scale.value(x_scale.high);
    const auto begin = x.begin();
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(count);
    auto first = static_cast<std::size_t>(std::lower_bound(begin, end, left) - begin);
    auto last = static_cast<std::size_t>(std::upper_bound(begin, end, right) - begin);
    const auto drawable = [&](std::size_t i) {
        return std::isfinite(x_scale.drawn(x[i])) && std::isfinite(y_scale.drawn(y[i]));
    };
    while (first > 0 && !drawable(--first))
        ;
    while (last < count && !drawable(last++))
        ;
    Column column;
    qint64 current = -2;
    for (std::size_t i = first; i < last; ++i) {
        const QPointF point(x_scale.drawn(x[i]), y_scale.drawn(y[i]));
        if (!std::isfinite(point.x()) || !std::isfinite(point.y()))
            continue;
        const double share = (point.x() - x_scale.low) / (x_scale.high - x_scale.low);
        const auto place = static_cast<qint64>(std::floor(std::clamp(share, -1.0, 2.0) * columns));
        if (place != current) {
            column.flush(line);
            current = place;
        }
        column.add(point);
    }
    column.flush(line);
    return line;
}

QList<QPointF> decimated_points(std::span<const QPointF> points, const ChartScale& x_scale,
                                const ChartScale& y_scale, int columns, int rows) {
    QList<QPointF> kept;
    std::unordered_map<qint64, qsizetype> place_of_cell;
    for (const QPointF& point : points) {
        const double across = x_scale.share(point.x());
        const double up = y_scale.share(point.y());
        if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) // also for NaN
            continue;
        const qint64 cell =
            static_cast<qint64>(up * rows) * (columns + 1) + static_cast<qint64>(across * columns);
        const QPointF drawn(x_scale.drawn(point.x()), y_scale.drawn(point.y()));
        const auto [entry, is_new] = place_of_cell.try_emplace(cell, kept.size());
        if (is_new)
            kept.push_back(drawn);
        else
            kept[entry->second] = drawn;
    }
    return kept;
}

namespace {

constexpr std::size_t points_drawn_singly = 4000;
/// From this many dots on, dots overlap: each is small and transparent.
constexpr std::size_t crowd = 300;

} // namespace

void ChartCurves::make(const ChartContent& content, const Theme& theme) {
    std::vector<Curve> wanted;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        if (const auto* const line = std::get_if<LineSeries>(&content.series[i])) {
            wanted.push_back({i, false, line->colour, nullptr});
            if (!content.smooth[i].empty())
                wanted.push_back({i, true, line->colour, nullptr});
        } else if (const auto* const scatter = std::get_if<ScatterSeries>(&content.series[i])) {
            std::set<std::tuple<ChartColour, std::optional<ChartColour>, bool>> looks{
                {scatter->colour, {}, false}};
            for (const ScatterPoint& point : scatter->points)
                looks.emplace(point.colour.value_or(scatter->colour), point.edge, point.muted);
            for (const auto& [colour, edge, muted] : looks)
                wanted.push_back({i, false, colour, nullptr, edge, muted});
        }
    }
    std::ranges::stable_partition(wanted, &Curve::muted); // series drawn first lie below
    const auto is_scatter = [&content](const Curve& curve) {
        return std::holds_alternative<ScatterSeries>(content.series[curve.series]);
    };
    // Live curves keep their objects; only their points change.
    bool same = wanted.size() == curves_.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i)
        same = is_scatter(wanted[i]) == (curves_[i].points->type() == QAbstractSeries::SeriesTypeScatter);
    if (same) {
        for (std::size_t i = 0; i < wanted.size(); ++i)
            wanted[i].points = curves_[i].points;
    } else {
        chart_.removeAllSeries();
        for (Curve& curve : wanted) {
            curve.points = is_scatter(curve) ? static_cast<QXYSeries*>(new QScatterSeries(&chart_))
                                             : static_cast<QXYSeries*>(new QLineSeries(&chart_));
            chart_.addSeries(curve.points);
            curve.points->attachAxis(&x_axis_);
            curve.points->attachAxis(&y_axis_);
        }
    }
    curves_ = std::move(wanted);
    dress(content, theme);
}

void ChartCurves::dress(const ChartContent& content, const Theme& theme) {
    std::size_t dots = 0;
    for (const ChartSeries& series : content.series)
        if (const auto* const scatter = std::get_if<ScatterSeries>(&series))
            dots += static_cast<std::size_t>(
                std::ranges::count(scatter->points, false, &ScatterPoint::muted)); // the others lie below
    const bool is_crowded = dots > crowd;
    for (const Curve& curve : curves_) {
        QColor colour = colour_from(curve.colour, theme);
        if (auto* const scatter = qobject_cast<QScatterSeries*>(curve.points)) {
            if (curve.muted) {
                colour.setAlphaF(theme.dark ? 0.4F : 0.3F);
                scatter->setMarkerSize(5);
                scatter->setBrush(colour);
                scatter->setPen(Qt::NoPen);
                continue;
            }
            if (is_crowded) {
                colour = colour_from(curve.edge.value_or(curve.colour), theme);
                colour.setAlphaF(0.5F);
                scatter->setMarkerSize(5);
                scatter->setBrush(colour);
                scatter->setPen(Qt::NoPen);
                continue;
            }
            scatter->setMarkerSize(9);
            scatter->setBrush(colour);
            scatter->setPen(curve.edge ? QPen(colour_from(*curve.edge, theme), 2) : QPen(theme.surface, 1));
            continue;
        }
        const auto& line = std::get<LineSeries>(content.series[curve.series]);
        const bool raw_beneath = !curve.smooth && !content.smooth[curve.series].empty();
        if (raw_beneath)
            colour.setAlphaF(theme.dark ? 0.45F : 0.35F);
        QPen pen(colour, curve.smooth ? 2.5 : raw_beneath ? 1.0 : 2.0);
        pen.setJoinStyle(Qt::RoundJoin);
        if (line.dashed && !raw_beneath)
            pen.setStyle(Qt::DashLine);
        if (line.band == BandLook::Whiskers)
            pen.setStyle(Qt::NoPen);
        curve.points->setPen(pen);
        curve.points->setPointsVisible(line.marked && !raw_beneath);
        curve.points->setMarkerSize(5);
    }
}

void ChartCurves::fill(const ChartContent& content, const ChartScale& x_range, const ChartScale& y_range,
                       const QSizeF& area, double pixel_ratio) {
    const int columns = std::max(1, static_cast<int>(area.width() * pixel_ratio));
    for (const Curve& curve : curves_) {
        curve.points->setVisible(content.shown(curve.series));
        if (!content.shown(curve.series))
            continue;
        if (const auto* const line = std::get_if<LineSeries>(&content.series[curve.series])) {
            const std::vector<double>& y = curve.smooth ? content.smooth[curve.series] : line->y;
            curve.points->replace(decimated_line(line->x, y, x_range, y_range, columns));
            continue;
        }
        const auto& scatter = std::get<ScatterSeries>(content.series[curve.series]);
        std::vector<QPointF> points;
        for (const ScatterPoint& point : scatter.points)
            if (point.colour.value_or(scatter.colour) == curve.colour && point.edge == curve.edge &&
                point.muted == curve.muted)
                points.emplace_back(point.x, point.y);
        const double cell = points.size() > points_drawn_singly ? 2 : 0.5;
        curve.points->replace(decimated_points(points, x_range, y_range,
                                               static_cast<int>(area.width() / cell) + 1,
                                               static_cast<int>(area.height() / cell) + 1));
    }
}

std::vector<const QXYSeries*> ChartCurves::series() const {
    std::vector<const QXYSeries*> series;
    for (const Curve& curve : curves_)
        series.push_back(curve.points);
    return series;
}

} // namespace sparsight
