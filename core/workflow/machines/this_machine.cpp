#include "workflow/machines/this_machine.h"

#include "machine/machine_json.h"
#include "machine/probe/background_load.h"
#include "machine/probe/probe.h"

#include <fmt/format.h>

namespace sparsight {

Result<MeasurementLock> measuring_turn(Observer& observer, const std::stop_token& stop) {
    return MeasurementLock::take(stop, [&] {
        observer.remark("another program measures on this computer; waiting until it is done");
    });
}

Result<MachineDescription> describe_this_machine() {
    ProbeOptions options;
    options.measure = false;
    return probe_this_computer(options);
}

Result<MachineDescription> measure_this_machine(Observer& observer, const std::stop_token& stop) {
    ProbeOptions options;
    options.stop = stop;
    options.progress = observer.sink();
    const BackgroundLoad others;
    auto machine = probe_this_computer(options);
    const double taken = others.share().value_or(0);
    if (machine && taken > disturbing_share)
        observer.remark(fmt::format("the computer was busy: other programs took {:.0f} % of its processors "
                                    "while it was measured; it is faster than this, and figures that would "
                                    "be wrong are left out; probe it again "
                                    "(`machine probe`) when it is idle",
                                    taken * 100));
    return machine;
}

Result<MachineRecord> this_machine(Workspace& workspace,
                                   const std::function<Result<MachineDescription>()>& describe) {
    const auto facts = describe_this_machine();
    if (!facts)
        return std::unexpected(facts.error());
    const std::string fingerprint = facts->fingerprint();
    auto known = find_machine(workspace, fingerprint);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return std::move(**known);
    const auto machine = describe();
    if (!machine)
        return std::unexpected(machine.error());
    const std::string description = machine_to_text(*machine);
    const auto id = record_machine(workspace, machine->name, fingerprint, description);
    if (!id)
        return std::unexpected(id.error());
    return MachineRecord{*id, machine->name, fingerprint, description, machine->date.value_or("")};
}

} // namespace sparsight
