// The last round of an evaluation: the fastest schedules of every matrix are measured once more, in turns
// (collection/rematch.h), and stored matrix by matrix.
#pragma once

#include "cli/evaluation_job.h"
#include "cli/evaluation_plan.h"

#include <optional>
#include <stop_token>

namespace sparsight {

/// Of all matrices of the scope. One that has been through it is left alone, unless `again`, or unless other
/// schedules are the fastest by now. False: stopped, or out of `time`, and there is more to do. Errors are
/// those of the workspace; a matrix that can't be measured in turns keeps the times that it has.
[[nodiscard]] Result<bool> run_rematch(Workspace& workspace, const EvaluationScope& scope,
                                       const EvaluationPlan& plan, const CollectionRequest& measuring,
                                       std::optional<Seconds> time, JobEvents& events,
                                       ProgressDisplay& display, const std::stop_token& stop);

} // namespace sparsight
