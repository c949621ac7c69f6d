// The models, workloads, machine and setting of an evaluation, after all names are looked up.
#pragma once

#include "store/choices.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/workloads.h"
#include "workflow/evaluation/evaluation_job.h"

#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct EvaluationPlan {
    const Domain* domain = nullptr;               ///< points into the registry
    const MeasuringDomain* measuring = nullptr;   ///< measures on this computer; nullptr: times are looked up
    const SimulatingDomain* simulating = nullptr; ///< makes those that are missing; nullptr: nothing does
    Setting setting;
    std::vector<ModelRecord> models;
    std::vector<WorkloadRecord> workloads;
    MachineRecord machine;
    std::string protocol;
    std::string condition{};    ///< condition of recorded runs
    std::optional<int> threads; ///< threads as stored; absent: as recorded
    /// The workloads that a model or one of its ancestors was trained on, in any form.
    std::vector<std::string> trained;
    std::vector<std::string> remarks{}; ///< sentences about models that were made for another setting
};

[[nodiscard]] Result<EvaluationPlan> plan_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                                     const MeasuringDomains& measuring,
                                                     const EvaluationRequest& request);

/// The parameters by which an earlier run of the same plan is found.
[[nodiscard]] Json parameters_of(const EvaluationPlan& plan, const EvaluationRequest& request,
                                 std::uint64_t seed);

// The choices of the models in an evaluation: requested from sparsight-learn and stored one by one, so that a
// stopped search resumes after the last one.

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

    /// Requests choices for every workload of the plan that has none in this run.
    [[nodiscard]] Result<void> choose(RunId run);

    /// First every model's first choice, then every second one, and so on: if time runs out, all models were
    /// treated alike.
    [[nodiscard]] ConfigurationsByWorkload configurations() const;
    /// Workloads that could not be searched, with reasons.
    [[nodiscard]] const std::map<std::string, std::string>& unsearched() const { return unsearched_; }

private:
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
