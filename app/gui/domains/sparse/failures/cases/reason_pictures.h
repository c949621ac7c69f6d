// Charts of a model's reasons: its predictions beside the real times as one property varies, the calibration
// of its confidence, and the parts of the pattern that moved its choice, as marks on the sparsity plot.
#pragma once

#include "domains/sparse/explanation/reasons/model_reasons.h"
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
    QString remark{}; ///< what the chart shows, in words
};

/// The factor that turns a margin between two scores, which have no unit, into a base-2 logarithm of an
/// advantage in time: the slope of the line through 0 that fits the gains best over all points with times of
/// all curves. Where that slope is not above 0 (the scores contradict the times, or there are no times), the
/// factor that gives both the same spread, or 1.
struct MarginScale {
    double factor = 1;
    bool is_fitted = false;
};
[[nodiscard]] MarginScale margin_scale(const SensitivityReason& reason);

/// "decision: chunk", "machine: cores".
[[nodiscard]] QString curve_title(const SensitivityCurve& curve);
/// Predicted and real advantage of the choice over the other schedule. Numeric values are drawn as lines, all
/// others as bars.
[[nodiscard]] ReasonChart sensitivity_chart(const SensitivityCurve& curve, const MarginScale& scale);

/// How often the model is right at each level of confidence; a well-calibrated model follows the diagonal.
[[nodiscard]] ReasonChart calibration_chart(const UncertaintyReason& reason);

/// The cells that move the choice most: in the colour of losing where their entries favour the chosen
/// schedule, in the colour of winning where they favour the other schedule.
[[nodiscard]] std::vector<PlotOverlayRect> saliency_marks(const SaliencyReason& reason);

} // namespace sparsight
