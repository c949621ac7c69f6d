// Which lines the charts of training draw, as plain values.
#pragma once

#include "gui/runs/run_curves.h"
#include "widgets/chart/chart_values.h"

#include <vector>

namespace sparsight {

/// A run that is drawn, alone or over others.
struct ShownRun {
    QString name;
    ChartColour colour = ChartColour::Series1;
    const RunCurves* curves = nullptr; ///< nullptr: being read
    bool is_of_trees = false;          ///< whose rounds stand where others have steps
};

enum class ShownValidation { None, Overall, ByMachine };

struct CurveOptions {
    RunAxis axis = RunAxis::Step;
    ShownValidation validation = ShownValidation::Overall;
    int smoothing = 0; ///< steps that are averaged; 0: as many as suit the length of the run

    bool operator==(const CurveOptions&) const = default;
};

/// Of each run the training loss, raw and smoothed, and that of its validation. A single run has a colour for
/// each of its lines, of several each has its own colour and the validation is dashed.
/// Trees, which have no steps, have the loss after each tenth of their rounds.
[[nodiscard]] std::vector<LineSeries> loss_lines(const std::vector<ShownRun>& runs,
                                                 const CurveOptions& options);

/// One metric of the validation ("ordered_pair_accuracy"), or of the epochs ("rate").
[[nodiscard]] std::vector<LineSeries> metric_lines(const std::vector<ShownRun>& runs, const QString& metric,
                                                   const CurveOptions& options);

/// "steps", "epochs", "time of training [min]": with the unit that its values are in after scaled(). Trees
/// alone have rounds, whatever is chosen.
[[nodiscard]] ChartAxis axis_of(RunAxis axis, bool are_all_trees = false);

/// A metric to choose: what it is called, how it is written, and what a guess would reach.
struct CurveMetric {
    const char* id;
    QString title;
    QString tip;
    ValueFormat format = ValueFormat::Number;
    bool of_validation = true;
    std::optional<double> reference = {};
    QString reference_label = {};
};

[[nodiscard]] std::vector<CurveMetric> curve_metrics();

// A shot curve as lines with bands.

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
