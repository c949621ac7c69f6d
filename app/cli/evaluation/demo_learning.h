// The second half of the demo: small matrices of many families are measured, a model learns from them, learns
// this computer, and chooses schedules for matrices that it has never seen.
#pragma once

#include "cli/evaluation/evaluation_job.h"
#include "store/machines.h"

#include <optional>

namespace sparsight {

struct DemoLearning {
    CollectionRequest measuring; ///< operator, dense extent, threads, protocol
    int schedules = 100;         ///< measured on each matrix to learn from
    /// To be asked what a model chooses for: never trained on, whatever was measured on them.
    std::vector<std::string> held_out;
    Seconds budget{180}; ///< for all of it
};

/// Errors: sparsight-learn is missing or fails; those of the workspace; Fault::Cancelled.
[[nodiscard]] Result<EvaluationOutcome> learn_in_demo(const Session& session, Workspace& workspace,
                                                      const MachineRecord& machine,
                                                      const DemoLearning& learning, ProgressDisplay& display,
                                                      const std::stop_token& stop);

} // namespace sparsight
