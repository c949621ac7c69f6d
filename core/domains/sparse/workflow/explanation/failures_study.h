// The failures of models that chose schedules: of a stored evaluation, or of a table that others recorded.
#pragma once

#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "store/workspace.h"
#include "workflow/explanation/failures_study.h"

#include <stop_token>
#include <string>

namespace sparsight {

struct SparseFailuresRequest : FailuresRequest {
    std::string recorded{};        ///< a table (recorded_failures.h) instead of an evaluation
    SparseSetting setting{};       ///< of the table
    double recorded_noise = 0.025; ///< assumed of a recorded time, as a share of it
    /// As workflow/machines/named_machines.h names machines; empty: that of the evaluation.
    std::string simulated_on{};
};

/// Diagnosed by simulation; of matrices whose pattern is unknown by what decisions cost elsewhere in a table.
[[nodiscard]] Result<FailuresAnswer> answer_sparse_failures(const WorkspaceLocation& location,
                                                            const SparseFailuresRequest& request,
                                                            Observer& observer, const std::stop_token& stop);

} // namespace sparsight
