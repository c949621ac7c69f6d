// The last step of an evaluation: measures the fastest configurations of every workload again in turns
// (collection/collector.h), and stores the times workload by workload.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"
#include "evaluation/model_evaluation.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

struct RematchOutcome {
    bool complete = true; ///< false: stopped, out of time, or something failed
    /// Workloads that can't be measured in turns; their collected times stay.
    std::vector<CollectionFailure> failures;
};

/// Whether run_rematch() would measure anything.
[[nodiscard]] Result<bool> wants_rematch(Workspace& workspace, const MeasuringDomain& domain,
                                         const EvaluationScope& scope,
                                         std::span<const WorkloadRecord> workloads,
                                         const CollectionRequest& request);

/// Measures these workloads on this computer. A workload with a rematch is skipped, unless `request.again` is
/// set or other configurations are the fastest by now. Errors are those of the workspace.
[[nodiscard]] Result<RematchOutcome>
run_rematch(Workspace& workspace, const MeasuringDomain& domain, const EvaluationScope& scope,
            std::span<const WorkloadRecord> workloads, const CollectionRequest& request,
            std::optional<Seconds> time, Observer& observer, const std::stop_token& stop);

} // namespace sparsight
