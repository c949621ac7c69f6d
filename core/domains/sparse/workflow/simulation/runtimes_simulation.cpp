#include "domains/sparse/workflow/simulation/runtimes_simulation.h"

#include "base/digest.h"
#include "base/parallel.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "machine/machine_edit.h"
#include "machine/machine_json.h"
#include "store/machines.h"
#include "workflow/machines/named_machines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

/// The record that simulated times belong to.
Result<SimulatedMachine> machine_to_simulate(Workspace& workspace, const WorkspaceLocation& location,
                                             const std::string& text, const std::string& code_of) {
    auto named = named_machine(location, text);
    if (!named)
        return std::unexpected(std::move(named).error());
    MachineDescription machine = std::move(named->machine);
    const bool is_generated = machine.source != MachineSource::Simulated || !code_of.empty();
    std::string made_by = "simulated";
    if (!code_of.empty()) {
        const auto cpu = set_analysed_costs(machine, code_of);
        if (!cpu)
            return std::unexpected(cpu.error());
        made_by += ", code of " + *cpu;
    }
    if (is_generated) {
        machine = simulated_copy(std::move(machine));
        machine.name += fmt::format(" ({})", made_by);
    }
    const auto known = find_machine(workspace, machine.name);
    if (!known)
        return std::unexpected(known.error());
    if (*known && description_of(**known) == machine)
        return SimulatedMachine{.record = **known, .description = std::move(machine)};
    if (*known && !is_generated)
        return fail(Fault::Input,
                    fmt::format("the workspace has another machine '{}', with other numbers; give this one "
                                "another name with `machine add --name`, or delete that one",
                                machine.name));
    if (*known) { // its real machine was calibrated or described anew, and all its times are renewed
        const auto renewed =
            record_machine(workspace, machine.name, (*known)->fingerprint, machine_to_text(machine));
        if (!renewed)
            return std::unexpected(renewed.error());
        return SimulatedMachine{.record = **known, .description = std::move(machine)};
    }
    auto added = add_machine(workspace, machine);
    if (!added)
        return std::unexpected(std::move(added).error());
    return SimulatedMachine{.record = std::move(added->record), .description = std::move(machine)};
}

Result<std::vector<SimulatedMachine>> machines_to_simulate(Workspace& workspace,
                                                           const WorkspaceLocation& location,
                                                           const RuntimesSimulationRequest& request) {
    std::vector<SimulatedMachine> machines;
    for (const std::string& text : request.machines) {
        auto machine = machine_to_simulate(workspace, location, text, request.code_of);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machines.push_back(std::move(*machine));
    }
    if (!request.sampled)
        return machines;
    const auto known = list_machines(workspace);
    if (!known)
        return std::unexpected(known.error());
    for (const MachineRecord& record : *known)
        if (is_editable(record))
            if (auto description = description_of(record))
                machines.push_back({.record = record, .description = std::move(*description)});
    return machines;
}

} // namespace

Result<SimulatedRuntimes> add_simulated_runtimes(Workspace& workspace, const WorkspaceLocation& location,
                                                 const RuntimesSimulationRequest& request, Observer& observer,
                                                 const std::stop_token& stop) {
    auto machines = machines_to_simulate(workspace, location, request);
    if (!machines)
        return std::unexpected(std::move(machines).error());
    if (machines->empty())
        return fail(
            Fault::Input,
            "no machine is named, and the workspace has no simulated one; `machine sample` adds some, "
            "`machine presets` lists others");
    SimulationRequest simulation;
    simulation.op = request.op;
    simulation.dense = dense_index(request.op) ? request.dense : 1;
    simulation.matrices = request.matrices;
    SampledSchedules schedules = request.schedules;
    schedules.seed = request.seed;
    simulation.schedules = schedules;
    simulation.threads = available_threads();
    if (request.noise) // each machine has noise of its own, whatever others are simulated beside it
        for (SimulatedMachine& machine : *machines)
            machine.noise_seed = (request.seed ^ digest_of(machine.record.fingerprint)) | 1;
    observer.start(Json::object());
    auto summary =
        simulate_schedules(workspace, MechanisticSimulator(), *machines, simulation, stop, observer.sink());
    if (!summary)
        return std::unexpected(std::move(summary).error());
    return SimulatedRuntimes{*std::move(machines), *std::move(summary)};
}

} // namespace sparsight
