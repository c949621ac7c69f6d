// The machines that a run learns from, as tasks: measured machines, and described machines whose runtimes are
// simulated when a run requests them.
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

/// The word for `machines` that selects imagined machines only. It shows what a few measurements of a new
/// machine add, if the model has not seen that machine before.
inline constexpr std::string_view no_machine = "none";

/// Number of configurations of each workload besides the baseline, where no machine has measurements to
/// simulate.
inline constexpr std::size_t drawn_configurations = 100;

struct MachineTasksRequest {
    Setting setting;
    /// Names or fingerprints; empty: all machines with measurements; or only `no_machine`. A simulated
    /// machine of the workspace is imagined, like those of `simulated`, where its runtimes in the setting are
    /// of too few workloads to split.
    std::vector<std::string> machines{};
    std::vector<std::string> simulated{}; ///< as in ImaginationRequest::machines
    std::uint64_t seed = 1;
    int threads = 1;
    LearningGoal goal = LearningGoal::Order;
    /// Imagined machines alone get all workloads of the workspace with drawn configurations, whatever was
    /// measured.
    bool draws_always = false;
    /// A workspace with fewer workloads is given generated ones, for imagined machines alone. Takes write
    /// access. 0: it is given none.
    std::size_t fewest_workloads = 0;
};

struct MachineTasks {
    TaskSet set;
    std::vector<std::string> notes; ///< sentences: what is learned from, what is left out, and why
};

/// Imagined machines get the workloads and configurations of the first requested machine with measurements;
/// without one, of the first machine of the workspace that has enough of them to split. If none has enough,
/// they get all workloads, with configurations drawn by the seed. Keeps a reference to the workspace,
/// which must outlive the result. Errors: those of LearningDomain::tasks() and imagine(); nothing to
/// simulate; Fault::Cancelled.
[[nodiscard]] Result<MachineTasks> machine_tasks(Workspace& workspace, const LearningDomain& domain,
                                                 const MachineTasksRequest& request,
                                                 const std::stop_token& stop, const ProgressSink& progress);

} // namespace sparsight
