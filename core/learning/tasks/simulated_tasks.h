// Tasks on imagined machines, over the workloads and configurations of a task on a real one.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The first machines of a family (machine/machine_family.h) that are to train on.
[[nodiscard]] std::vector<MachineDescription> training_machines(std::uint64_t seed, std::size_t count);

/// A simulator as the tasks of imagined machines need it: it knows the domain of its workloads.
class TaskSimulator {
public:
    TaskSimulator() = default;
    TaskSimulator(const TaskSimulator&) = delete;
    TaskSimulator& operator=(const TaskSimulator&) = delete;
    virtual ~TaskSimulator() = default;

    /// Whether it starts from the recorded runtimes.
    [[nodiscard]] virtual bool needs_recorded() const = 0;

    /// Milliseconds on each machine, one for each configuration, above 0, infinite where it could not run.
    /// The runtimes are one of the task's. Errors: those of the simulator and of the workload's data;
    /// Fault::Cancelled.
    [[nodiscard]] virtual Result<std::vector<std::vector<double>>>
    simulate_all(std::span<const MachineDescription> machines, const TaskSet& set, const Task& recorded,
                 const WorkloadRuntimes& runtimes, const std::stop_token& stop) const = 0;
};

/// One task for each machine, over all workloads of `recorded` (one of the set's). Spreads scale with the
/// runtimes where the simulator starts from recorded ones, so that near-ties stay near-ties; otherwise
/// simulated runtimes have none. Errors: those of the simulator, with the workload; Fault::Cancelled.
[[nodiscard]] Result<std::vector<Task>> simulated_tasks(const TaskSet& set, const Task& recorded,
                                                        std::span<const MachineDescription> machines,
                                                        const TaskSimulator& simulator,
                                                        const std::stop_token& stop = {},
                                                        const ProgressSink& progress = {});

} // namespace sparsight
