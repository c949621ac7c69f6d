#include "domains/sparse/explanation/machine_change.h"

#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "evaluation/time_differences.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

/// What one could buy: not what the generated code costs on it.
constexpr std::array what_differs_between_machines{
    MachineParameter::Cores,           MachineParameter::ClockRate,     MachineParameter::Lanes,
    MachineParameter::L2Bytes,         MachineParameter::L3Bytes,       MachineParameter::CoreBandwidth,
    MachineParameter::SocketBandwidth, MachineParameter::MemoryLatency, MachineParameter::RegionCost,
    MachineParameter::ChunkCost};
constexpr int steps_in_range = 64;

} // namespace

double MachineChange::factor() const {
    return std::max(before, after) / std::min(before, after);
}

MachineParameters parameters_with_threads(const MachineDescription& machine, int threads) {
    MachineParameters parameters = resolve_parameters(machine).values;
    double& all = parameters[MachineParameter::Threads];
    if (threads > 0)
        all = std::min(all, static_cast<double>(threads));
    return parameters;
}

std::vector<MachineChange> machine_changes(const MachineDescription& machine, const ScheduleProfile& from,
                                           const ScheduleProfile& to, int threads) {
    const MachineParameters before = parameters_with_threads(machine, threads);
    std::vector<MachineChange> changes;
    for (const MachineParameter parameter : what_differs_between_machines) {
        const double value = before[parameter];
        std::optional<MachineChange> nearest;
        for (const double after : steps_over(parameter, usual_range(parameter, value), steps_in_range)) {
            if (value <= 0 || after <= 0 || after == value)
                continue;
            MachineChange change{parameter, value, after};
            if (nearest && change.factor() >= nearest->factor())
                continue;
            const auto changed = parameters_with_threads(with_parameter(machine, parameter, after), threads);
            change.from_ms = simulate(changed, from).total();
            change.to_ms = simulate(changed, to).total();
            if (is_faster_simulated(change.to_ms, change.from_ms))
                nearest = change;
        }
        if (nearest)
            changes.push_back(*nearest);
    }
    std::ranges::stable_sort(changes, {}, &MachineChange::factor);
    return changes;
}

} // namespace sparsight
