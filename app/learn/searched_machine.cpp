#include "learn/searched_machine.h"

#include "machine/machine_json.h"
#include "machine/probe.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

Result<std::optional<MachineRecord>> this_computer(Workspace& workspace) {
    ProbeOptions facts_alone;
    facts_alone.measure = false;
    const auto facts = probe_this_computer(facts_alone);
    if (!facts)
        return std::nullopt;
    return find_machine(workspace, facts->fingerprint());
}

} // namespace

Result<SearchedMachine> searched_machine(Workspace& workspace, const std::string& machine, Operator op,
                                         std::int64_t dense) {
    SearchedMachine chosen;
    const auto known = machine.empty() ? this_computer(workspace) : find_machine(workspace, machine);
    if (!known)
        return std::unexpected(known.error());
    if (!*known) {
        if (machine.empty())
            return chosen;
        return fail(Fault::Input, fmt::format("there is no machine '{}' in the workspace", machine));
    }
    chosen.id = (*known)->id;
    chosen.name = (*known)->name;
    // Of a recorded machine hardly anything is known.
    if (auto description = machine_from_text((*known)->description)) {
        if (!machine.empty())
            chosen.threads = description->threads.value_or(chosen.threads);
        chosen.is_recorded = description->source == MachineSource::Recorded;
        chosen.description = *std::move(description);
    }
    chosen.is_recorded = chosen.is_recorded || (*known)->fingerprint.starts_with("recorded:");
    if (machine.empty())
        return chosen;
    if (!chosen.description) {
        // As learning describes such a machine.
        chosen.description.emplace();
        chosen.description->name = (*known)->name;
        chosen.description->source = MachineSource::Recorded;
    }
    auto recorded = recorded_schedules(workspace, (*known)->id, op, dense);
    if (!recorded)
        return std::unexpected(std::move(recorded).error());
    chosen.recorded = *std::move(recorded);
    if (chosen.recorded && chosen.is_recorded)
        chosen.threads = chosen.recorded->threads;
    return chosen;
}

} // namespace sparsight
