// An evaluation as JSON, for scripts.
#pragma once

#include "evaluation/model_evaluation.h"

#include <nlohmann/json_fwd.hpp>

namespace sparsight {

/// {"machine", "source", "operator", "dense", "protocol", "k", "confidence", "models": [{"model", figures …,
///  "matrices": [{"matrix", …, "candidates": […]}]}], "comparisons": […], "left_out": […]}. A figure with an
/// interval is {"value", "low", "high"}.
[[nodiscard]] nlohmann::ordered_json evaluation_json(const ModelEvaluation& evaluation);

/// The summary figures of one model alone.
[[nodiscard]] nlohmann::ordered_json summary_json(const EvaluatedModel& model);

} // namespace sparsight
