// What an evaluation found, in sentences.
#pragma once

#include "evaluation/model_evaluation.h"
#include "store/runs.h"

#include <QString>
#include <string_view>

namespace sparsight {

/// "1 within noise, 2 with unknown noise": losses that noise may have made; empty where there are none.
[[nodiscard]] QString undecided_losses(const SpeedupSummary& summary);

/// "~1.02× ± 8 %": ~ where it is within noise, ± where it is uncertain (EvaluatedWorkload).
[[nodiscard]] QString shown_speedup(const EvaluatedWorkload& workload);

/// " ± 8 %" behind a mean of speedups that is uncertain, else empty. `of` is that mean: it is 1 for a margin
/// that is a share of it, and 1 + gain behind a mean gain.
[[nodiscard]] QString margin_text(const EvaluatedModel& model, double of = 1);

/// Whether the mean of the gains, the report's figure, tells of a few workloads and not of most: it is more
/// than a quarter above the geometric mean of the speedups, as one workload that gains 100 times makes it.
[[nodiscard]] bool is_mean_misleading(const SpeedupSummary& summary);

/// What was found, in a sentence or two: "first: +19.6 % over fixed CSR on average [12.1, 27.0], slower on 2
/// of 30 workloads." Where that mean misleads, the geometric mean comes first, and the report's figure is
/// named with the workload that makes it. And whether the scores tell anything about the times of what was
/// chosen.
[[nodiscard]] QString finding(const EvaluatedModel& model, const ModelEvaluation& evaluation);

/// The findings of all models, a line each of one or two; of more, what they are together, since the table
/// says the rest: who gains most, what the others gain, who loses where, and whose scores tell nothing. Gains
/// are geometric means where the mean misleads of any of them.
[[nodiscard]] QString findings(const ModelEvaluation& evaluation);

/// What keeps the figures from being certain: a noisy computer, and which workloads are missing, and why;
/// empty where nothing does and the run went to its end.
[[nodiscard]] QString what_is_missing(const ModelEvaluation& evaluation, RunState state);

} // namespace sparsight
