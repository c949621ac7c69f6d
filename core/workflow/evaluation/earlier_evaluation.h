// What a workspace already has of a planned evaluation: the same one, or one of these models on this machine
// with other settings.
#pragma once

#include "store/runs.h"
#include "workflow/evaluation/evaluation_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct EarlierEvaluation {
    RunRecord run;
    /// "k (20, now 10)"; empty: the same evaluation, whatever the order of its models and workloads.
    std::vector<std::string> differences;

    [[nodiscard]] bool is_same() const { return differences.empty(); }
};

/// The newest evaluation that is the same; otherwise the newest finished one of models of these names on this
/// machine. `parameters` are those of the plan.
[[nodiscard]] Result<std::optional<EarlierEvaluation>>
find_earlier_evaluation(Workspace& workspace, const EvaluationPlan& plan, const Json& parameters);

/// Brings the workloads into the order that they have in the earlier run: resampling draws them by their
/// places, so that another order would give other intervals.
void order_as_in(const RunRecord& earlier, std::vector<WorkloadRecord>& workloads);

/// For the user: that the figures are those of a finished evaluation, or in what the stored one differs.
/// Empty where an unfinished one goes on.
[[nodiscard]] std::string to_text(const EarlierEvaluation& earlier);

} // namespace sparsight
