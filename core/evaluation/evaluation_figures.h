// The figures of an evaluation as SVG elements. Their colours are those of the page's style (report_style.h),
// so that they follow it into the dark.
#pragma once

#include "evaluation/model_evaluation.h"

#include <span>
#include <string>

namespace sparsight {

/// Of several models in one scale.
struct SpeedupRange {
    double lowest = 1;
    double highest = 1;
};
[[nodiscard]] SpeedupRange speedup_range(const ModelEvaluation& evaluation);

/// A bar a matrix, sorted, from fixed CSR's 1×: up for winners, down for losers (figures 6 and 7 of the
/// meta-learning report). Simulated ones are hatched.
[[nodiscard]] std::string speedup_bars(const EvaluatedModel& model, const SpeedupRange& range,
                                       bool are_simulated);

/// A dot a chosen schedule: its score, standardised within its matrix since scores of different matrices are
/// not comparable, and its time over fixed CSR's.
[[nodiscard]] std::string score_scatter(const EvaluatedModel& model, int k);

/// Training and validation loss of each run by epoch.
[[nodiscard]] std::string loss_figure(std::span<const LossCurves> curves);

} // namespace sparsight
