// Evaluations that a workspace keeps: which choices were compared, read again from what stands there now.
#pragma once

#include "evaluation/model_evaluation.h"
#include "store/runs.h"

#include <optional>
#include <string>

namespace sparsight {

/// What is empty admits all.
struct EvaluationFilter {
    std::string model{};   ///< name
    std::string machine{}; ///< fingerprint
};

/// Of which models and matrices are left. Absent: there is none.
[[nodiscard]] Result<std::optional<RunId>> newest_evaluation(Workspace& workspace,
                                                             const EvaluationFilter& filter = {});

/// Models and matrices that were removed since are left out. An error where nothing is left, or where the run
/// is no evaluation.
[[nodiscard]] Result<ModelEvaluation> read_evaluation(Workspace& workspace, RunId run);

} // namespace sparsight
