// Measured schedules as bars, fastest first.
#pragma once

#include "gui/workspace/ranked_results.h"
#include "widgets/chart/chart_series.h"

#include <span>

namespace sparsight {

/// Those with a speedup: up and blue where they win, down and orange where they lose, pale where that may be
/// noise.
[[nodiscard]] BarSeries speedup_bars(std::span<const RankedResult> results);

} // namespace sparsight
