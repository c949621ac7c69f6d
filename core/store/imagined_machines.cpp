#include "store/imagined_machines.h"

#include "machine/machine_json.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

Result<std::vector<MachineRecord>> machines_named(Workspace& workspace, const std::string& name) {
    auto machines = list_machines(workspace);
    if (machines)
        std::erase_if(*machines, [&](const MachineRecord& machine) { return machine.name != name; });
    return machines;
}

Result<MachineRecord> recorded(Workspace& workspace, const MachineDescription& machine,
                               const std::string& fingerprint) {
    const auto id = record_machine(workspace, machine.name, fingerprint, machine_to_text(machine));
    if (!id)
        return std::unexpected(id.error());
    auto stored = find_machine(workspace, fingerprint);
    if (!stored)
        return std::unexpected(std::move(stored).error());
    return std::move(**stored);
}

Result<AddedMachine> add_in_transaction(Workspace& workspace, MachineDescription machine) {
    const std::string fingerprint = machine.source == MachineSource::Recorded
                                        ? fmt::format("recorded:{}", machine.name)
                                        : machine.fingerprint();
    const auto known = find_machine(workspace, fingerprint);
    if (!known)
        return std::unexpected(known.error());
    if (*known && description_of(**known) == machine)
        return AddedMachine{.record = **known, .is_new = false};
    const auto namesakes = machines_named(workspace, machine.name);
    if (!namesakes)
        return std::unexpected(namesakes.error());
    AddedMachine added;
    const bool is_undescribed = namesakes->size() == 1 &&
                                namesakes->front().fingerprint.starts_with("recorded:") &&
                                !description_of(namesakes->front());
    if (is_undescribed) {
        added.describes_recorded = true;
        machine.source = MachineSource::Recorded;
    } else if (!namesakes->empty() || *known) {
        const std::string& taken = namesakes->empty() ? (*known)->name : machine.name;
        return fail(Fault::Input, fmt::format("the workspace has a machine '{}' already", taken));
    }
    auto record = recorded(workspace, machine, is_undescribed ? namesakes->front().fingerprint : fingerprint);
    if (!record)
        return std::unexpected(std::move(record).error());
    added.record = *std::move(record);
    return added;
}

} // namespace

Result<AddedMachine> add_machine(Workspace& workspace, MachineDescription machine) {
    if (auto valid = validate(machine); !valid)
        return std::unexpected(std::move(valid).error());
    AddedMachine added;
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        auto result = add_in_transaction(workspace, std::move(machine));
        if (!result)
            return std::unexpected(std::move(result).error());
        added = *std::move(result);
        return {};
    });
    if (!done)
        return std::unexpected(done.error());
    return added;
}

Result<MachineRecord> change_simulated_machine(Workspace& workspace, MachineId id,
                                               const MachineDescription& machine) {
    if (auto valid = validate(machine); !valid)
        return std::unexpected(std::move(valid).error());
    MachineRecord changed{id, machine.name, machine.fingerprint(), machine_to_text(machine), {}};
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto machines = list_machines(workspace);
        if (!machines)
            return std::unexpected(machines.error());
        for (const MachineRecord& other : *machines) {
            if (other.id != id && other.name == machine.name)
                return fail(Fault::Input,
                            fmt::format("the workspace has a machine '{}' already", other.name));
            if (other.id != id)
                continue;
            if (!is_editable(other))
                return fail(Fault::Input, fmt::format("'{}' is not a machine that was imagined: its numbers "
                                                      "are not there to choose",
                                                      other.name));
            changed.probed = other.probed;
        }
        return change_machine(workspace, changed);
    });
    if (!done)
        return std::unexpected(done.error());
    return changed;
}

std::optional<MachineDescription> description_of(const MachineRecord& record) {
    auto machine = machine_from_text(record.description);
    return machine ? std::optional(*std::move(machine)) : std::nullopt;
}

bool is_editable(const MachineRecord& record) {
    const auto machine = description_of(record);
    // What simulated runtimes belong to has a longer fingerprint, which names the simulator.
    return machine && machine->source == MachineSource::Simulated &&
           !record.fingerprint.starts_with("simulated:");
}

Result<std::string> free_machine_name(Workspace& workspace, const std::string& name) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    std::string free = name;
    const auto is_taken = [&](const MachineRecord& machine) { return machine.name == free; };
    for (int number = 2; std::ranges::any_of(*machines, is_taken); ++number)
        free = fmt::format("{} {}", name, number);
    return free;
}

} // namespace sparsight
