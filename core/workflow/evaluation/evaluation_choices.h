// The choices of the models in an evaluation: requested from sparsight-learn and stored one by one, so that a
// stopped search resumes after the last one.
#pragma once

#include "workflow/evaluation/evaluation_plan.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// Keeps references to all arguments.
class EvaluationChoices {
public:
    EvaluationChoices(Workspace& workspace, const EvaluationRequest& request, const EvaluationPlan& plan,
                      Observer& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , request_(request)
        , plan_(plan)
        , observer_(observer)
        , stop_(stop) {}

    /// Reads what is stored with this run. False: a model has chosen nothing for a workload yet.
    [[nodiscard]] Result<bool> are_stored(RunId run);
    /// Requests choices for every workload of the plan that has none in this run.
    [[nodiscard]] Result<void> choose(RunId run);

    /// First every model's first choice, then every second one, and so on: if time runs out, all models were
    /// treated alike.
    [[nodiscard]] ConfigurationsByWorkload configurations() const;
    /// Workloads that could not be searched, with reasons.
    [[nodiscard]] const std::map<std::string, std::string>& unsearched() const { return unsearched_; }

private:
    /// Reads what is stored; names the workloads that the model has chosen nothing for.
    [[nodiscard]] Result<std::vector<std::string>> read(RunId run, const ModelRecord& model);
    [[nodiscard]] Result<void> choose(RunId run, const ModelRecord& model);
    [[nodiscard]] Result<void> follow(RunId run, const ModelRecord& model, std::vector<std::string> arguments,
                                      std::size_t workloads);
    [[nodiscard]] Result<void> store(RunId run, const ModelRecord& model, const Json& choice);

    Workspace& workspace_;
    const EvaluationRequest& request_;
    const EvaluationPlan& plan_;
    Observer& observer_;
    const std::stop_token& stop_;
    std::map<std::pair<ModelId, WorkloadId>, std::vector<std::string>> chosen_; ///< texts
    std::map<std::string, std::string> unsearched_;
};

} // namespace sparsight
