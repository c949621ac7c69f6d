// What an evaluation is about, once names are looked up: models, matrices, machine, operator.
#pragma once

#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"
#include "store/models.h"
#include "workflow/evaluation/evaluation_job.h"

#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct EvaluationPlan {
    std::vector<ModelRecord> models;
    std::vector<MatrixRecord> matrices;
    MachineRecord machine;
    bool is_measured = true; ///< on this computer; otherwise times are looked up
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string protocol;
    std::optional<int> threads;       ///< that kernels ran on; absent: as recorded
    std::vector<std::string> trained; ///< of the matrices, those that a model, or one that it was made from,
                                      ///< has been trained on, or on a form of them
    std::vector<std::string> remarks{}; ///< on models that were made for another setting; sentences
};

[[nodiscard]] Result<EvaluationPlan> plan_evaluation(Workspace& workspace, const EvaluationRequest& request);

/// The text by which a run of the same plan is found again.
[[nodiscard]] std::string parameters_of(const EvaluationPlan& plan, const EvaluationRequest& request,
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

    /// For every matrix of the plan that has no choice of this run yet.
    [[nodiscard]] Result<void> choose(RunId run);

    /// Every model's first choice, then every second one …: where time runs out, all have had the same.
    [[nodiscard]] SchedulesByMatrix schedules() const;
    /// Matrices that could not be searched, and why.
    [[nodiscard]] const std::map<std::string, std::string>& unsearched() const { return unsearched_; }

private:
    [[nodiscard]] Result<void> choose(RunId run, const ModelRecord& model);
    [[nodiscard]] Result<void> follow(RunId run, const ModelRecord& model, std::vector<std::string> arguments,
                                      std::size_t matrices);
    [[nodiscard]] Result<void> store(RunId run, const ModelRecord& model, const Json& choice);

    Workspace& workspace_;
    const EvaluationRequest& request_;
    const EvaluationPlan& plan_;
    Observer& observer_;
    const std::stop_token& stop_;
    std::map<std::pair<ModelId, WorkloadId>, std::vector<ChosenSchedule>> chosen_;
    std::map<std::string, std::string> unsearched_;
};

} // namespace sparsight
