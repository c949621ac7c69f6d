// What physics and learning each contribute to a gray box: the share of pairs that its simulator orders
// right, and what learning adds on top or takes away, as the bands of a stack. They begin at what chance
// reaches, as does whoever is worse.
#pragma once

#include "gui/train/chart_lines.h"
#include "widgets/chart/chart_values.h"

#include <QString>
#include <vector>

namespace sparsight {

/// By epochs, on the axis of the other curves. Empty of other models, and of runs from before the simulator's
/// validation was recorded.
[[nodiscard]] std::vector<LineSeries> explained_lines(const ShownRun& run, RunAxis axis);
/// "The simulator orders 90.1 % of the pairs; learning adds 2.3 points." of the newest epoch. Empty where
/// there are no lines.
[[nodiscard]] QString explained_sentence(const RunCurves& curves);

/// The same by the number of workloads learned from: `ours` beside the contender "simulator", where the curve
/// has both.
[[nodiscard]] std::vector<LineSeries> explained_lines(const ShotPoints& points, const QString& ours);
[[nodiscard]] QString explained_sentence(const ShotPoints& points, const QString& ours, const Noun& workload);

/// The vertical axis of both.
[[nodiscard]] ChartAxis explained_axis();

} // namespace sparsight
