// Curves and points of a chart as series of Qt Charts (one or two for each of ours), reduced before they are
// passed on to as many points as the screen can distinguish.
#pragma once

#include "widgets/chart/chart_content.h"
#include "widgets/chart/chart_values.h"

#include <QList>
#include <QPointF>
#include <QSizeF>
#include <optional>
#include <span>
#include <vector>

class QChart;
class QValueAxis;
class QXYSeries;

namespace sparsight {

struct Theme;

/// For each column of pixels the first, lowest, highest and last point, in the drawn scale: the line covers
/// the same pixels as the line through all points (M4: Jugel et al., "M4: A Visualization-Oriented Time
/// Series Data Aggregation", VLDB 2014). x ascending. One point beyond each side of the range is kept so that
/// the line leaves the picture. Values that are not finite, or not positive on a logarithmic axis, are left
/// out.
[[nodiscard]] QList<QPointF> decimated_line(std::span<const double> x, std::span<const double> y,
                                            const ChartScale& x_scale, const ChartScale& y_scale,
                                            int columns);

/// One point for each cell of a grid; further points in a cell would cover it. The last point of a cell wins,
/// as on the screen.
[[nodiscard]] QList<QPointF> decimated_points(std::span<const QPointF> points, const ChartScale& x_scale,
                                              const ChartScale& y_scale, int columns, int rows);

class ChartCurves {
public:
    ChartCurves(QChart& chart, QValueAxis& x_axis, QValueAxis& y_axis)
        : chart_(chart)
        , x_axis_(x_axis)
        , y_axis_(y_axis) {}

    /// Makes the series after the content has changed.
    void make(const ChartContent& content, const Theme& theme);
    /// Sets the pens and brushes.
    void dress(const ChartContent& content, const Theme& theme);
    /// Fills in the points in the visible ranges, as many as the pixels of the area need.
    void fill(const ChartContent& content, const ChartScale& x_range, const ChartScale& y_range,
              const QSizeF& area, double pixel_ratio);

    [[nodiscard]] std::vector<const QXYSeries*> series() const;

private:
    struct Curve {
        std::size_t series = 0;
        bool smooth = false;
        ChartColour colour = ChartColour::Series1;
        QXYSeries* points = nullptr; ///< owned by the chart
        std::optional<ChartColour> edge{};
        bool muted = false;
    };

    QChart& chart_;
    QValueAxis& x_axis_;
    QValueAxis& y_axis_;
    std::vector<Curve> curves_;
};

} // namespace sparsight
