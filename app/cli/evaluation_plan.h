// What an evaluation is about, once names are looked up: models, matrices, machine, operator.
#pragma once

#include "cli/evaluation_job.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/models.h"

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

} // namespace sparsight
