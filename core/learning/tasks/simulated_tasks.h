// Tasks on imagined machines, over the matrices and schedules of a task on a real one.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/simulator/simulator.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The first machines of a family (machine/machine_family.h) that are to train on.
[[nodiscard]] std::vector<MachineDescription> training_machines(std::uint64_t seed, std::size_t count);

/// One task for each machine, over all matrices of `recorded` (one of the set's). Spreads scale with the
/// runtimes where the simulator starts from recorded ones, so that near-ties stay near-ties; otherwise
/// simulated runtimes have none. Errors: those of the simulator and of patterns, with the matrix;
/// Fault::Cancelled.
[[nodiscard]] Result<std::vector<Task>> simulated_tasks(const TaskSet& set, const Task& recorded,
                                                        std::span<const MachineDescription> machines,
                                                        const Simulator& simulator,
                                                        const std::stop_token& stop = {},
                                                        const ProgressSink& progress = {});

} // namespace sparsight
