#include "cli/this_machine.h"

#include "cli/session.h"
#include "machine/machine_json.h"
#include "machine/other_work.h"
#include "machine/probe.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

/// On two processors it is a fifth of one: more than an idle desktop does.
constexpr double disturbing_share = 0.1;

} // namespace

Result<MachineDescription> describe_this_machine() {
    ProbeOptions options;
    options.measure = false;
    return probe_this_computer(options);
}

Result<MachineDescription> measure_this_machine(const Session& session, const ProgressSink& progress,
                                                const std::stop_token& stop) {
    ProbeOptions options;
    options.stop = stop;
    options.progress = progress;
    const OtherWork others;
    auto machine = probe_this_computer(options);
    const double taken = others.share().value_or(0);
    if (machine && taken > disturbing_share)
        session.remark(fmt::format("the computer was busy: other programs took {:.0f} % of its processors "
                                   "while it was measured, and it is faster than this; probe it again "
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
