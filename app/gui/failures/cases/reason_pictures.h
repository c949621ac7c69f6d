// What a model foresees as one thing varies, beside what the times do, and how far its certainty may be
// trusted: as charts.
#pragma once

#include "evaluation/model_reasons/model_reasons.h"
#include "widgets/chart/chart_values.h"
#include "widgets/plot/plot_scene.h"

#include <QString>
#include <vector>

namespace sparsight {

struct ReasonChart {
    ChartAxis x;
    ChartAxis y;
    std::vector<ChartSeries> series;
    std::optional<ReferenceLine> reference{};
    QString remark{}; ///< what is to be seen on it
};

/// Scores have no unit. What a margin is multiplied with to be read as a logarithm (base 2) of an advantage
/// in time: the slope of the line through 0 that fits the gains best over all points with times of all
/// curves. Where that is not above 0 (the scores go against the times, or there are none), what gives both
/// the same spread, or 1.
struct MarginScale {
    double factor = 1;
    bool is_fitted = false;
};
[[nodiscard]] MarginScale margin_scale(const SensitivityReason& reason);

/// "decision: chunk", "machine: cores".
[[nodiscard]] QString curve_title(const SensitivityCurve& curve);
/// Foreseen and real advantage of the choice over the other schedule. Values that are numbers make lines,
/// others bars.
[[nodiscard]] ReasonChart sensitivity_chart(const SensitivityCurve& curve, const MarginScale& scale);

/// How often the model is right when it is so sure; the diagonal is a model that knows itself.
[[nodiscard]] ReasonChart calibration_chart(const UncertaintyReason& reason);

// Which parts of the pattern moved the choice of a model, as marks on the sparsity plot.

/// The cells that move it most: in the colour of losing where their entries speak for the chosen schedule, in
/// that of winning where they speak for the other one.
[[nodiscard]] std::vector<PlotOverlayRect> saliency_marks(const SaliencyReason& reason);

} // namespace sparsight
