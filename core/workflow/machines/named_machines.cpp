#include "workflow/machines/named_machines.h"

#include "base/files.h"
#include "base/text.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "machine/probe/system_files.h"
#include "workflow/machines/measuring_turn.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

std::string preset_keys() {
    std::vector<std::string_view> keys;
    for (const MachinePreset& preset : machine_presets())
        keys.push_back(preset.key);
    return fmt::format("{}", fmt::join(keys, ", "));
}

NamedMachine from_preset(MachinePreset preset) {
    return {std::move(preset.machine), {}, std::string(preset.source), std::string(preset.note)};
}

Result<NamedMachine> from_record(const MachineRecord& record) {
    auto machine = description_of(record);
    if (!machine)
        return fail(Fault::Input, fmt::format("only the name of machine '{}' is known: describe it with "
                                              "`machine add`, a file or preset, and --name",
                                              record.name));
    std::string origin =
        fmt::format("the workspace: a {} machine", name(machine_kind(record.fingerprint, machine->source)));
    return NamedMachine{*std::move(machine), record.fingerprint, std::move(origin), {}};
}

} // namespace

Result<MachineDescription> read_machine_file(const std::string& file) {
    const auto text = read_whole_file(file);
    if (!text)
        return std::unexpected(text.error());
    auto machine = machine_from_printed_text(*text);
    if (machine)
        if (auto consistent = require_consistent(*machine); !consistent)
            machine = std::unexpected(std::move(consistent).error());
    if (!machine)
        machine.error().file = file;
    return machine;
}

Result<NamedMachine> machine_of_preset(const std::string& name) {
    auto preset = find_machine_preset(name);
    if (!preset)
        return fail(Fault::Input,
                    fmt::format("there is no preset '{}': expected one of {}", name, preset_keys()));
    return from_preset(*std::move(preset));
}

Result<NamedMachine> named_machine(const WorkspaceLocation& location, const std::string& text) {
    if (names_file(text)) {
        auto machine = read_machine_file(text);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        return NamedMachine{*std::move(machine), {}, text, {}};
    }
    std::string known_machines;
    if (location.is_expected()) {
        auto workspace = location.open(WorkspaceAccess::Read);
        if (!workspace)
            return std::unexpected(std::move(workspace).error());
        const auto known = find_machine(*workspace, text);
        if (!known)
            return std::unexpected(known.error());
        if (*known)
            return from_record(**known);
        if (find_machine_preset(text))
            return machine_of_preset(text);
        const auto begun = find_named_machine(*workspace, text);
        if (!begun)
            return std::unexpected(begun.error());
        if (*begun)
            return from_record(**begun);
        known_machines = unknown_machine(*workspace, text).error().message;
    }
    if (auto preset = find_machine_preset(text))
        return from_preset(*std::move(preset));
    return fail(
        Fault::Input,
        fmt::format("{}; presets: {}; or a file of a machine",
                    known_machines.empty() ? fmt::format("there is no machine \"{}\"", text) : known_machines,
                    preset_keys()));
}

std::string sheet_text(const Json& facts) {
    std::string text;
    for (const auto& [name, value] : facts.items())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                            value.is_string() ? value.get<std::string>() : value.dump());
    return text;
}

Result<std::vector<Json>> machine_sheets(Workspace& workspace, const std::vector<MachineRecord>& machines) {
    std::vector<Json> sheets;
    for (const MachineRecord& machine : machines) {
        const auto text = machine_facts(workspace, machine.id);
        if (!text)
            return std::unexpected(text.error());
        const Json facts = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
        sheets.push_back(facts.is_object() && !facts.empty() ? facts : Json());
    }
    return sheets;
}

Result<Json> machine_sheet(const WorkspaceLocation& location, const std::string& name) {
    if (!location.is_expected())
        return Json();
    auto workspace = location.open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto known = find_named_machine(*workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return Json();
    auto sheets = machine_sheets(*workspace, {**known});
    return sheets ? Result<Json>(std::move(sheets->front())) : std::unexpected(sheets.error());
}

Result<NamedMachine> this_named_machine(const WorkspaceLocation& location) {
    auto facts = describe_this_machine();
    if (!facts)
        return std::unexpected(std::move(facts).error());
    if (location.is_expected()) {
        auto workspace = location.open(WorkspaceAccess::Read);
        if (!workspace)
            return std::unexpected(std::move(workspace).error());
        const auto known = find_machine(*workspace, facts->fingerprint());
        if (!known)
            return std::unexpected(known.error());
        if (*known && description_of(**known))
            return from_record(**known);
    }
    return NamedMachine{*std::move(facts), {}, "this computer, as its system describes it", {}};
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
        observer.remark(fmt::format(
            "the computer was busy: other programs took {:.0f} % of its processors. It is faster than these "
            "figures, and wrong ones are left out. Probe it again when it is idle (`machine probe`)",
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
    auto found = find_machine(workspace, name); // by no beginning: asked twice, it would remove another one
    if (!found)
        return std::unexpected(std::move(found).error());
    if (!*found)
        return unknown_machine(workspace, name);
    MachineRecord machine = **std::move(found);
    const auto here = describe_this_machine();
    if (here && here->fingerprint() == machine.fingerprint)
        return fail(Fault::Input, fmt::format("{} is this computer, which is not removed: what is measured "
                                              "next would belong to it again",
                                              machine.name));
    const auto times = count_measurements_on(workspace, machine.id);
    if (!times)
        return std::unexpected(times.error());
    if (*times > 0 && !with_measurements)
        return fail(Fault::Input,
                    fmt::format("{} stored for {}; --with-measurements removes them with the machine",
                                counted(*times, "runtime is", "runtimes are"), machine.name));
    return machine;
}

} // namespace sparsight
