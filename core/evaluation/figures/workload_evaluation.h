// One workload of an evaluation: the fastest of what a model chose, by the times that are known.
#pragma once

#include "evaluation/known_times.h"
#include "evaluation/model_evaluation.h"
#include "store/choices.h"
#include "study/domain.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

[[nodiscard]] bool has_known_time(const EvaluatedCandidate& candidate);

/// Without a baseline in the domain the best known configuration stands in its place. Error: why there is
/// none, as the baseline or all that was chosen has no time; a sentence for the user.
[[nodiscard]] std::expected<EvaluatedWorkload, std::string>
evaluate_workload(const std::string& workload, std::string_view model,
                  const std::vector<ConfigurationChoice>& chosen, int k, const ConfigurationCodec& codec,
                  const KnownTimes& times, const DomainWords& words);

} // namespace sparsight
