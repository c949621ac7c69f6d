#include "widgets/chart/chart_curves.h"

#include "widgets/chart/chart_painting.h"
#include "widgets/chart/decimation.h"
#include "widgets/look/theme.h"

#include <QChart>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <set>
#include <tuple>
#include <variant>

namespace sparsight {

namespace {

constexpr std::size_t points_drawn_singly = 4000;
/// So many dots lie over one another: each is small and lets the others be seen.
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
    std::ranges::stable_partition(wanted, &Curve::muted); // what is drawn first lies below
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
            dots += scatter->points.size();
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
