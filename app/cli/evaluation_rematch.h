// The last round of an evaluation: the fastest schedules of every matrix are measured once more, in turns
// (collection/rematch.h), and stored matrix by matrix.
#pragma once

#include "cli/evaluation_job.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

struct RematchOutcome {
    bool complete = true; ///< false: stopped or out of time, and there is more to do; or something failed
    /// Matrices that can't be measured in turns; they keep the times that they have.
    std::vector<CollectionFailure> failures;
};

/// Of these matrices, on this computer. One that has been through it is left alone, unless `measuring.again`,
/// or unless other schedules are the fastest by now. Errors are those of the workspace.
[[nodiscard]] Result<RematchOutcome> run_rematch(Workspace& workspace, const EvaluationScope& scope,
                                                 std::span<const MatrixRecord> matrices,
                                                 const CollectionRequest& measuring,
                                                 std::optional<Seconds> time, JobEvents& events,
                                                 ProgressDisplay& display, const std::stop_token& stop);

} // namespace sparsight
