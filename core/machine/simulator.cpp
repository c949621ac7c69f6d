#include "machine/simulator.h"

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

} // namespace sparsight
