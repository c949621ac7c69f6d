// Curves and points of a chart as series of Qt Charts: one or two for each of ours.
#pragma once

#include "widgets/chart/chart_content.h"

#include <QSizeF>
#include <optional>
#include <vector>

class QChart;
class QValueAxis;
class QXYSeries;

namespace sparsight {

struct Theme;

class ChartCurves {
public:
    ChartCurves(QChart& chart, QValueAxis& x_axis, QValueAxis& y_axis)
        : chart_(chart)
        , x_axis_(x_axis)
        , y_axis_(y_axis) {}

    /// The series of the content are other ones.
    void make(const ChartContent& content, const Theme& theme);
    /// Their pens and brushes.
    void dress(const ChartContent& content, const Theme& theme);
    /// Their points in the ranges that are seen, as many as the pixels of the area need.
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
