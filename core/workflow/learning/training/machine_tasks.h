// The machines that a run learns from, as tasks: those that have measurements, and those that only a
// description is there of, whose runtimes are simulated when a run asks for them.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/learning_domain.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The one word of `machines` by which a model learns from imagined machines alone: what a new machine's
/// few measurements add to it is then seen without the machine having been learned from before.
inline constexpr std::string_view no_machine = "none";

/// Of each workload, besides the baseline, where no machine has any to simulate.
inline constexpr std::size_t drawn_configurations = 100;

struct MachineTasksRequest {
    Setting setting;
    /// Names or fingerprints; empty: all that have measurements; or `no_machine` alone. A simulated machine
    /// of the workspace without runtimes in the setting is imagined, as those of `simulated` are.
    std::vector<std::string> machines{};
    std::vector<std::string> simulated{}; ///< as ImaginationRequest::machines
    std::uint64_t seed = 1;
    int threads = 1;
    LearningGoal goal = LearningGoal::Order;
};

struct MachineTasks {
    TaskSet set;
    std::vector<std::string> notes; ///< what is learned from, what is left out and why; sentences
};

/// Imagined machines get the workloads and configurations of the first measured machine that is asked for;
/// without one, of the first machine of the workspace that has measurements. Where that has too few workloads
/// to split them, they get all workloads, with configurations that are drawn by the seed. Refers to the
/// workspace, which has to live as long. Errors: those of LearningDomain::tasks() and imagine(); nothing to
/// simulate; Fault::Cancelled.
[[nodiscard]] Result<MachineTasks> machine_tasks(Workspace& workspace, const LearningDomain& domain,
                                                 const MachineTasksRequest& request,
                                                 const std::stop_token& stop, const ProgressSink& progress);

} // namespace sparsight
