// What the charts of an evaluation draw, as plain values.
#pragma once

#include "evaluation/model_evaluation.h"
#include "store/runs.h"
#include "widgets/chart/chart_series.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sparsight {

/// A bar a matrix for each model, sorted by the speedups of the model at this place, or else by the best of
/// all, losers in the colour of losers; a single model's winners in that of winners, those of several in the
/// model's own. The key of a bar is its matrix.
[[nodiscard]] std::vector<ChartSeries> speedup_bars(const ModelEvaluation& evaluation,
                                                    std::optional<std::size_t> sorted_by = std::nullopt);

/// A dot for each schedule that a model chose: its score, standardised within its matrix since scores of
/// different matrices can't be compared, and its time over that of fixed CSR. With a matrix: of that one
/// alone, the scores as they are. With one that stands out, the dots of the others are pale.
[[nodiscard]] std::vector<ScatterSeries>
score_points(const ModelEvaluation& evaluation, const QString& matrix = {}, const QString& standing_out = {});

[[nodiscard]] bool has_matrix(const ModelEvaluation& evaluation, const QString& matrix);

/// Of the first model on that matrix, or over all of them.
[[nodiscard]] std::optional<double> agreement(const EvaluatedModel& model, const QString& matrix = {});

/// What was found, in a sentence or two: "first: +19.6 % on average [12.1, 27.0], slower on 2 of 30
/// matrices." And whether the scores tell anything about the times of what was chosen.
[[nodiscard]] QString finding(const EvaluatedModel& model, TimeSource source);

/// The findings of all models, a line each of one or two; of more, what they are together, since the table
/// says the rest: who gains most, what the others gain, who loses where, and whose scores tell nothing.
[[nodiscard]] QString findings(const ModelEvaluation& evaluation);

/// Which matrices are missing, and why; empty where none is and the run went to its end.
[[nodiscard]] QString what_is_missing(const ModelEvaluation& evaluation, RunState state);

} // namespace sparsight
