#include "workflow/machines/machine_records.h"

#include "base/text.h"
#include "machine/machine_edit.h"
#include "store/workspace.h"
#include "workflow/machines/named_machines.h"
#include "workflow/machines/this_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

namespace {

Result<MachineDescription> start_of(const MachineRequest& request) {
    if (!request.file.empty())
        return read_machine_file(request.file);
    auto preset = machine_of_preset(request.preset);
    if (!preset)
        return std::unexpected(std::move(preset).error());
    return std::move(preset->machine);
}

} // namespace

Result<RequestedMachine> requested_machine(const MachineRequest& request) {
    auto start = start_of(request);
    if (!start)
        return std::unexpected(std::move(start).error());
    RequestedMachine asked{*start, {}};
    if (!request.settings.empty()) {
        auto changed = with_settings(*start, request.settings);
        if (!changed)
            return std::unexpected(std::move(changed).error());
        asked.unrequested_changes = unrequested_changes(*start, *changed, request.settings);
        asked.machine = std::move(*changed);
        asked.machine.source = MachineSource::Simulated;
        asked.machine.calibration = {}; // its numbers are chosen now
    }
    if (!request.name.empty())
        asked.machine.name = request.name;
    else if (!request.settings.empty()) // the unchanged one keeps its name for itself
        asked.machine.name = fmt::format("{} with {}", start->name, fmt::join(request.settings, ", "));
    return asked;
}

Result<std::vector<SampledMachine>> sample_machines(Workspace& workspace, std::int64_t count,
                                                    std::uint64_t seed) {
    std::vector<SampledMachine> machines;
    const auto stored = in_one_transaction(workspace, [&]() -> Result<void> {
        for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
            MachineDescription machine = sampled_machine(seed, index);
            auto added = add_machine(workspace, machine);
            if (!added)
                return std::unexpected(std::move(added).error());
            machines.push_back(
                {std::move(added->record), std::move(machine), family_part(seed, index), added->is_new});
        }
        return {};
    });
    if (!stored)
        return std::unexpected(stored.error());
    return machines;
}

Result<void> remember_this_machine(Workspace& workspace, const MachineDescription& machine,
                                   bool is_measured) {
    if (!is_measured) { // facts alone must not take the place of what was measured before
        const auto known = this_machine(workspace);
        return known ? Result<void>() : std::unexpected(known.error());
    }
    const auto id = record_probed_machine(workspace, machine);
    return id ? Result<void>() : std::unexpected(id.error());
}

Result<MachineRecord> machine_to_remove(Workspace& workspace, const std::string& name,
                                        bool with_measurements) {
    auto machine = find_machine(workspace, name);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    if (!*machine)
        return fail(Fault::Input,
                    fmt::format("the workspace knows no machine '{}'; `machine list` names those "
                                "that it knows",
                                name));
    const auto here = describe_this_machine();
    if (here && here->fingerprint() == (*machine)->fingerprint)
        return fail(Fault::Input, fmt::format("{} is this computer, which is not removed: what is measured "
                                              "next would belong to it again",
                                              (*machine)->name));
    const auto times = count_measurements_on(workspace, (*machine)->id);
    if (!times)
        return std::unexpected(times.error());
    if (*times > 0 && !with_measurements)
        return fail(Fault::Input,
                    fmt::format("{} stored for {}; --with-measurements removes them with the machine",
                                counted(*times, "runtime is", "runtimes are"), (*machine)->name));
    return **std::move(machine);
}

} // namespace sparsight
