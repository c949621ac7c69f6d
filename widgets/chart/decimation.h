// As many points as can be told apart on the screen, before they are handed to Qt Charts.
#pragma once

#include "widgets/chart/chart_scale.h"

#include <QList>
#include <QPointF>
#include <span>

namespace sparsight {

/// Of each column of pixels the first, lowest, highest and last point, in the drawn scale: the line covers
/// the same pixels as that through all points (M4: Jugel et al., "M4: A Visualization-Oriented Time Series
/// Data Aggregation", VLDB 2014). x ascending. One point beyond each side of the range is kept so that the
/// line leaves the picture. What is not finite, or not positive on a logarithmic axis, is left out.
[[nodiscard]] QList<QPointF> decimated_line(std::span<const double> x, std::span<const double> y,
                                            const ChartScale& x_scale, const ChartScale& y_scale,
                                            int columns);

/// One point for each cell of a grid: others would be painted over it. The last of a cell wins, as on the
/// screen.
[[nodiscard]] QList<QPointF> decimated_points(std::span<const QPointF> points, const ChartScale& x_scale,
                                              const ChartScale& y_scale, int columns, int rows);

} // namespace sparsight
