// Finds out which part of a gray box misled it in its failures.
#pragma once

#include "base/observer.h"
#include "evaluation/failures/failure_case.h"
#include "evaluation/model_evaluation.h"
#include "store/workspace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Asks the gray boxes among the models of the cases by `sparsight-learn predict`, each once, and fills in
/// FailureCase::misleading. A remark says why one can't be asked. Error: Fault::Cancelled; those of the
/// workspace.
[[nodiscard]] Result<void> find_misleading_parts(Workspace& workspace, const ModelEvaluation& evaluation,
                                                 std::vector<FailureCase>& cases,
                                                 std::vector<std::string>& remarks,
                                                 const ProgressSink& progress, const std::stop_token& stop);

} // namespace sparsight
