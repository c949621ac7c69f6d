// Measurements, and what changed in them, as tables on a terminal.
#pragma once

#include "evaluation/stored_turns.h"
#include "study/domain.h"
#include "workflow/evaluation/changed_times.h"
#include "workflow/evaluation/stored_results.h"

#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// What changed since those results were measured before: the summary, and a table.
[[nodiscard]] std::string changes_text(const Domain& domain, const TimeChanges& changes);
/// With the fastest in turns of each (evaluation/stored_turns.h), where there are some, and what tells both
/// figures apart.
[[nodiscard]] std::string results_text(const Domain& domain, const std::vector<ResultRecord>& results,
                                       const std::vector<std::optional<FastestInTurns>>& in_turns = {});

} // namespace sparsight
