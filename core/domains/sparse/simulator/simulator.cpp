#include "domains/sparse/simulator/simulator.h"

#include "machine/machine_presets.h"

#include <fmt/format.h>

namespace sparsight {

Result<std::vector<std::vector<double>>> Simulator::simulate_all(std::span<const MachineDescription> machines,
                                                                 const SimulatedRuns& runs) const {
    std::vector<std::vector<double>> times;
    for (const MachineDescription& machine : machines) {
        auto on_machine = simulate(machine, runs);
        if (!on_machine)
            return std::unexpected(std::move(on_machine).error());
        times.push_back(std::move(*on_machine));
    }
    return times;
}

Result<double> paper_factor(const MachineDescription& machine) {
    const auto missing = [&](std::string_view what) {
        return fail(Fault::Input,
                    fmt::format("the paper's formula needs {}, which is not known of the machine {}", what,
                                machine.name));
    };
    if (machine.cores.value_or(0) <= 0)
        return missing("the number of cores");
    if (!machine.copy_bandwidth.all_threads || !(machine.copy_bandwidth.all_threads->value > 0))
        return missing("the bandwidth of memory");
    if (!machine.memory_latency || !(machine.memory_latency->count() > 0))
        return missing("the latency of memory");
    return *machine.memory_latency / latency_unit /
           (*machine.cores * machine.copy_bandwidth.all_threads->value);
}

Result<std::vector<double>> PaperFormula::simulate(const MachineDescription& machine,
                                                   const SimulatedRuns& runs) const {
    const auto factor = paper_factor(machine);
    if (!factor)
        return std::unexpected(factor.error());
    if (runs.recorded_ms.size() != runs.schedules.size())
        return fail(Fault::Input,
                    fmt::format("the paper's formula starts from recorded runtimes: there are {} "
                                "for {} schedules",
                                runs.recorded_ms.size(), runs.schedules.size()));
    std::vector<double> simulated;
    simulated.reserve(runs.recorded_ms.size());
    for (const double recorded : runs.recorded_ms)
        simulated.push_back(recorded * *factor);
    return simulated;
}

} // namespace sparsight
