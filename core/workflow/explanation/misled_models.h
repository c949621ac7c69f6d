// Finds out which part of a gray box misled it in its failures.
#pragma once

#include "base/observer.h"
#include "evaluation/failures/failure_case.h"
#include "evaluation/model_evaluation.h"
#include "store/workspace.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Whether one of the cases is of a gray box, which can be asked.
[[nodiscard]] Result<bool> has_gray_box(Workspace& workspace, std::span<const FailureCase> cases);

struct MisleadingParts {
    std::vector<std::optional<MisleadingPart>> of_cases; ///< in the order of the cases
    std::vector<std::string> remarks;                    ///< why a gray box can't be asked
};

/// Asks the gray boxes among the models of the cases by `sparsight-learn predict`, each once. Errors:
/// Fault::Cancelled; those of the workspace.
[[nodiscard]] Result<MisleadingParts> find_misleading_parts(Workspace& workspace,
                                                            const ModelEvaluation& evaluation,
                                                            std::span<const FailureCase> cases,
                                                            const ProgressSink& progress,
                                                            const std::stop_token& stop);

} // namespace sparsight
