// What a fine-tuning came to: for programs and for people.
#pragma once

#include "base/observer.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"

#include <string>

namespace sparsight {

[[nodiscard]] Json outcome_json(const FinetuneOutcome& outcome);
[[nodiscard]] std::string outcome_text(const FinetuneOutcome& outcome);

/// "score = 0.52 · network + 1.3 · ln(milliseconds simulated on laptop, as calibrated, with dense extent
/// 256); 38 % …". The machine may be empty.
[[nodiscard]] std::string blend_sentence(const SimulatorBlend& blend, const std::string& machine);

} // namespace sparsight
