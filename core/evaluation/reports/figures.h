// The figures of reports: the axis of a figure, and the figures of an evaluation as SVG elements. Their
// colours are those of the page's style (html.h), so that they follow it into dark mode.
#pragma once

#include "evaluation/model_evaluation.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Maps values to the pixels of a figure, with ticks at round numbers.
class SvgAxis {
public:
    /// `from` and `to` are the pixels of the lowest and the highest value; to < from for an axis that points
    /// up. An extent of no width is widened.
    [[nodiscard]] static SvgAxis linear(double lowest, double highest, double from, double to);
    /// For values above 0.
    [[nodiscard]] static SvgAxis logarithmic(double lowest, double highest, double from, double to);

    /// Values beyond the ends are drawn at the ends.
    [[nodiscard]] double place(double value) const;
    /// Between three and nine round numbers within the extent.
    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

private:
    double lowest_ = 0; ///< of a logarithmic axis, its logarithm
    double highest_ = 1;
    double from_ = 0;
    double to_ = 1;
    bool is_logarithmic_ = false;
    std::vector<double> ticks_;
};

/// The common scale of several models.
struct SpeedupRange {
    double lowest = 1;
    double highest = 1;
};
[[nodiscard]] SpeedupRange speedup_range(const ModelEvaluation& evaluation);

/// One bar for each workload, sorted, from the baseline's 1×: up for wins, down for losses (figures 6 and 7
/// of the meta-learning report). Bars of simulated times are hatched.
[[nodiscard]] std::string speedup_bars(const EvaluatedModel& model, const SpeedupRange& range,
                                       bool are_simulated, const DomainWords& words);

/// One dot for each chosen configuration: its score, standardised within its workload since scores of
/// different workloads are not comparable, and its time over the baseline's.
[[nodiscard]] std::string score_scatter(const EvaluatedModel& model, int k, const DomainWords& words);

/// Training and validation loss of each run by epoch.
[[nodiscard]] std::string loss_figure(std::span<const LossCurves> curves);

} // namespace sparsight
