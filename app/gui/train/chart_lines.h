// The lines of the training charts as plain values: loss and metrics of runs, and shot curves with their
// confidence bands.
#pragma once

#include "evaluation/model_reasons/reliability.h"
#include "gui/runs/run_curves.h"
#include "study/domain.h"
#include "widgets/chart/chart_values.h"

#include <vector>

namespace sparsight {

/// A run that is drawn, alone or with others.
struct ShownRun {
    QString name;
    ChartColour colour = ChartColour::Series1;
    const RunCurves* curves = nullptr; ///< nullptr: being read
    bool is_of_trees = false;          ///< the rounds of trees are drawn in place of steps
    double started = 0;                ///< seconds since 1970
};

enum class ShownValidation { None, Overall, ByMachine };

struct CurveOptions {
    RunAxis axis = RunAxis::Step;
    ShownValidation validation = ShownValidation::Overall;
    int smoothing = 0; ///< number of averaged steps; 0: fitted to the length of the run

    bool operator==(const CurveOptions&) const = default;
};

/// As the axis counts: minutes, or seconds since 1970.
[[nodiscard]] RunCurve on_axis(RunCurve curve, RunAxis axis, const ShownRun& run);

/// The training loss of each run, raw and smoothed, and its validation loss. A single run has one colour per
/// line; of several runs each has its own colour, and the validation is dashed. Trees, which have no steps,
/// have the loss after each tenth round.
[[nodiscard]] std::vector<LineSeries> loss_lines(const std::vector<ShownRun>& runs,
                                                 const CurveOptions& options);

/// A mark at the epoch with the lowest validation loss of each run; nothing for trees, which have no epochs,
/// and where no validation is drawn.
[[nodiscard]] std::optional<ScatterSeries> best_epochs(const std::vector<ShownRun>& runs,
                                                       const CurveOptions& options);

/// One metric of the validation ("ordered_pair_accuracy") or of the epochs ("rate").
[[nodiscard]] std::vector<LineSeries> metric_lines(const std::vector<ShownRun>& runs, const QString& metric,
                                                   const CurveOptions& options);

/// "steps", "epochs", "time of training [min]": with the unit of the values after scaled(). If all runs are
/// trees, the axis has rounds, whatever is chosen.
[[nodiscard]] ChartAxis axis_of(RunAxis axis, bool are_all_trees = false);

/// A metric that can be chosen: its name, its number format, and the value that guessing would reach.
struct CurveMetric {
    const char* id;
    QString title;
    QString tip;
    ValueFormat format = ValueFormat::Number;
    bool of_validation = true;
    std::optional<double> reference = {};
    QString reference_label = {};
};

/// In the words of a domain; without a baseline there are no speedups.
[[nodiscard]] std::vector<CurveMetric> curve_metrics(const DomainWords& words);

/// A line for each contender with its 95 % confidence interval as a band. `ours`, the adapted model, comes
/// first, and the model trained from scratch after it.
[[nodiscard]] std::vector<LineSeries> shot_lines(const ShotPoints& points, const QString& metric,
                                                 const QString& ours);

/// The shot curve in a sentence: the smallest number of workloads with which `ours` is as good as the next
/// contender with its largest number. Empty where there is nothing to compare.
[[nodiscard]] QString shot_sentence(const ShotPoints& points, const QString& metric, const QString& ours,
                                    const Noun& workload);

/// A dot for each bin of how sure the model was, with its 95 % interval, and the diagonal.
[[nodiscard]] std::vector<LineSeries> reliability_lines(const Reliability& reliability);
/// "The model is 3.1 points off on average …", and what that means.
[[nodiscard]] QString reliability_sentence(const Reliability& reliability, const DomainWords& words);

/// Numbers of workloads, with a margin for the dots at the ends.
[[nodiscard]] ChartAxis shot_axis(const std::vector<LineSeries>& lines, const Noun& workload);

} // namespace sparsight
