// Times in turns that are stored with an evaluation serve others of the same machine, setting and choices.
#pragma once

#include "evaluation/model_evaluation.h"
#include "evaluation/rematch_times.h"

#include <optional>
#include <span>
#include <vector>

namespace sparsight {

struct TurnsOfWorkload {
    WorkloadId workload{};
    std::vector<ConfigurationTurns> times;
};

/// The times in turns of stored evaluations that this one could take over, for those of its workloads that
/// have none: of the newest one on the same machine, in the same setting, that measured what its models
/// chose, and only of what contends here. None where these are not all there, and of no run that ended before
/// the engine of the known times began to replace another one.
[[nodiscard]] Result<std::vector<TurnsOfWorkload>>
find_turns_elsewhere(Workspace& workspace, const Domain& domain, const EvaluationScope& scope);

/// Takes them over.
[[nodiscard]] Result<void> look_up_turns(Workspace& workspace, const Domain& domain,
                                         const EvaluationScope& scope);

/// For each of these results the fastest that its workload has in the newest turns under the same conditions;
/// absent where it has none, or where the turns ended before the engine of the known times replaced another.
[[nodiscard]] Result<std::vector<std::optional<FastestInTurns>>>
fastest_in_turns(Workspace& workspace, const Domain& domain, std::span<const ResultRecord> results);

} // namespace sparsight
