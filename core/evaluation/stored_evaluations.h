// The evaluations of a workspace: a run keeps the parameters of one, and its figures are computed from the
// current contents.
#pragma once

#include "evaluation/model_evaluation.h"

#include <optional>
#include <string>

namespace sparsight {

/// An empty field admits everything.
struct EvaluationFilter {
    const Domain* domain = nullptr;
    std::string model{};   ///< name
    std::string machine{}; ///< fingerprint
};

/// The newest evaluation that still has models and workloads. Absent where there is none.
[[nodiscard]] Result<std::optional<RunId>> newest_evaluation(Workspace& workspace,
                                                             const EvaluationFilter& filter = {});

/// Models and workloads that were removed since are left out. An error where none are left, or where the run
/// is not an evaluation.
[[nodiscard]] Result<ModelEvaluation> read_evaluation(Workspace& workspace, const Domain& domain, RunId run);

} // namespace sparsight
