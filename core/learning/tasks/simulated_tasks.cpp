#include "learning/tasks/simulated_tasks.h"

#include "machine/machine_family.h"

#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// In the proportion in which the runtimes changed; those of infinite ones stay as they are.
std::vector<double> scaled_spreads(const WorkloadRuntimes& recorded, const std::vector<double>& simulated) {
    std::vector<double> spreads = recorded.spreads;
    for (std::size_t i = 0; i < spreads.size(); ++i)
        if (std::isfinite(recorded.milliseconds[i]) && std::isfinite(simulated[i]))
            spreads[i] *= simulated[i] / recorded.milliseconds[i];
    return spreads;
}

} // namespace

std::vector<MachineDescription> training_machines(std::uint64_t seed, std::size_t count) {
    std::vector<MachineDescription> machines;
    for (std::uint64_t index = 0; machines.size() < count; ++index)
        if (family_part(seed, index) == FamilyPart::Train)
            machines.push_back(sampled_machine(seed, index));
    return machines;
}

Result<std::vector<Task>> simulated_tasks(const TaskSet& set, const Task& recorded,
                                          std::span<const MachineDescription> machines,
                                          const TaskSimulator& simulator, const std::stop_token& stop,
                                          const ProgressSink& progress) {
    std::vector<Task> tasks;
    for (const MachineDescription& machine : machines)
        tasks.push_back({machine.name, machine, {}, recorded.threads});
    // Workloads outside, so that the data of each are read once.
    for (std::uint64_t done = 0; const WorkloadRuntimes& runtimes : recorded.runtimes) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while machines were simulated");
        auto simulated = simulator.simulate_all(machines, set, recorded, runtimes, stop);
        if (!simulated)
            return std::unexpected(
                Error{simulated.error().fault,
                      fmt::format("the matrix {}: {}", set.workloads[runtimes.workload].name,
                                  simulated.error().message),
                      simulated.error().file, simulated.error().line});
        for (std::size_t m = 0; m < tasks.size(); ++m) {
            std::vector<double>& times = (*simulated)[m];
            auto spreads =
                simulator.needs_recorded() ? scaled_spreads(runtimes, times) : std::vector<double>{};
            tasks[m].runtimes.push_back({runtimes.workload, runtimes.configurations, std::move(times),
                                         std::move(spreads), runtimes.baseline, runtimes.digests});
        }
        if (progress)
            progress({"simulating", ++done, recorded.runtimes.size()});
    }
    return tasks;
}

} // namespace sparsight
