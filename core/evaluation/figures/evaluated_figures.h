// The figures of what an evaluation has read, with their noise: what model_evaluation.h declares, and how two
// models compare.
#pragma once

#include "evaluation/model_evaluation.h"

#include <vector>

namespace sparsight {

[[nodiscard]] std::vector<WorkloadSpeedup> speedups_of(const EvaluatedModel& model);

/// Of the best times of the second model over those of the first: by the same turns, or else by the spreads
/// of both times. For compare_speedups().
[[nodiscard]] std::vector<RatioNoise> ratio_noise(const EvaluatedModel& first, const EvaluatedModel& second);

} // namespace sparsight
