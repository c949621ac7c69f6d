// A shot curve as lines with bands.
#pragma once

#include "gui/runs/shot_points.h"
#include "widgets/chart/chart_series.h"

#include <vector>

namespace sparsight {

/// A line for each contender, the band its 95 % confidence interval; `ours`, the model that was adapted,
/// first, and what began from scratch behind it.
[[nodiscard]] std::vector<LineSeries> shot_lines(const ShotPoints& points, const QString& metric,
                                                 const QString& ours);

/// What the curve says, in a sentence: with how few matrices ours is as good as the one behind it with the
/// most. Empty where there is nothing to compare.
[[nodiscard]] QString shot_sentence(const ShotPoints& points, const QString& metric, const QString& ours);

/// Numbers of matrices, with room for the dots at the ends.
[[nodiscard]] ChartAxis shot_axis(const std::vector<LineSeries>& lines);

} // namespace sparsight
