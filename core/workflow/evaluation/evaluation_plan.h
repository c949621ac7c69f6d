// What an evaluation is about, once names are looked up: models, workloads, machine, setting.
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
    const Domain* domain = nullptr;             ///< of the registry
    const MeasuringDomain* measuring = nullptr; ///< on this computer; nullptr: times are looked up
    Setting setting;
    std::vector<ModelRecord> models;
    std::vector<WorkloadRecord> workloads;
    MachineRecord machine;
    std::string protocol;
    std::string condition{};          ///< of recorded runs
    std::optional<int> threads;       ///< as stored; absent: as recorded
    std::vector<std::string> trained; ///< of the workloads, those that a model, or one that it was made from,
                                      ///< has been trained on, or on a form of them
    std::vector<std::string> remarks{}; ///< on models that were made for another setting; sentences
};

[[nodiscard]] Result<EvaluationPlan> plan_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                                     const MeasuringDomains& measuring,
                                                     const EvaluationRequest& request);

/// The parameters by which a run of the same plan is found again.
[[nodiscard]] Json parameters_of(const EvaluationPlan& plan, const EvaluationRequest& request,
                                 std::uint64_t seed);

// What models choose in an evaluation: asked of sparsight-learn, and stored as it is told, so that a search
// that is stopped goes on behind it.

/// Refers to all that it is given.
class EvaluationChoices {
public:
    EvaluationChoices(Workspace& workspace, const EvaluationRequest& request, const EvaluationPlan& plan,
                      Observer& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , request_(request)
        , plan_(plan)
        , observer_(observer)
        , stop_(stop) {}

    /// For every workload of the plan that has no choice of this run yet.
    [[nodiscard]] Result<void> choose(RunId run);

    /// Every model's first choice, then every second one …: where time runs out, all have had the same.
    [[nodiscard]] ConfigurationsByWorkload configurations() const;
    /// Workloads that could not be searched, and why.
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
