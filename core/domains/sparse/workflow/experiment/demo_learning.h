// The second half of the demo: small matrices of many families are measured, a model learns from them, learns
// this computer, and chooses schedules for matrices that it has never seen.
#pragma once

#include "domains/sparse/schedule/sparse_setting.h"
#include "store/machines.h"
#include "workflow/evaluation/evaluation_job.h"

#include <optional>

namespace sparsight {

struct DemoLearning {
    CollectionRequest measuring; ///< threads, protocol
    SparseSetting setting{};
    int schedules = 100; ///< measured on each matrix to learn from
    /// To be asked what a model chooses for: never trained on, whatever was measured on them.
    std::vector<std::string> held_out;
    Seconds budget{180}; ///< for all of it
    std::uint64_t seed = 1;
    std::string created_by{}; ///< the program and its version
};

/// Errors: sparsight-learn is missing or fails; those of the workspace; Fault::Cancelled.
[[nodiscard]] Result<EvaluationOutcome> learn_in_demo(Workspace& workspace, const DomainRegistry& domains,
                                                      const MeasuringDomains& measuring,
                                                      const MachineRecord& machine,
                                                      const DemoLearning& learning, Observer& observer,
                                                      const std::stop_token& stop);

} // namespace sparsight
