#include "cli/this_machine.h"

#include "machine/machine_json.h"
#include "machine/probe.h"

namespace sparsight {

Result<MachineRecord> this_machine(Workspace& workspace) {
    ProbeOptions options;
    options.measure = false;
    const auto machine = probe_this_computer(options);
    if (!machine)
        return std::unexpected(machine.error());
    const std::string fingerprint = machine->fingerprint();
    auto known = find_machine(workspace, fingerprint);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return std::move(**known);
    const std::string description = machine_to_text(*machine);
    const auto id = record_machine(workspace, machine->name, fingerprint, description);
    if (!id)
        return std::unexpected(id.error());
    return MachineRecord{*id, machine->name, fingerprint, description, machine->date.value_or("")};
}

} // namespace sparsight
