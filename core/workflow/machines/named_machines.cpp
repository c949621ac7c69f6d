#include "workflow/machines/named_machines.h"

#include "base/files.h"
#include "base/files.h"
#include "machine/machine_json.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "workflow/machines/this_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <vector>

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
        return fail(Fault::Input,
                    fmt::format("nothing is known of the machine '{}' but its name; `machine add` with a "
                                "file or a preset and --name describes it",
                                record.name));
    std::string origin = fmt::format("the workspace: a {} machine", name(machine->source));
    return NamedMachine{*std::move(machine), record.fingerprint, std::move(origin), {}};
}

} // namespace

Result<MachineDescription> read_machine_file(const std::string& file) {
    if (auto readable = require_regular_file(file); !readable) {
        readable.error().file = file;
        return std::unexpected(std::move(readable).error());
    }
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream)
        return fail_in_file(Fault::Environment, file, 0, "it can't be read");
    auto machine = machine_from_printed_text(text);
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
    const bool has_workspace = location.is_expected();
    if (has_workspace) {
        auto workspace = location.open(WorkspaceAccess::Read);
        if (!workspace)
            return std::unexpected(std::move(workspace).error());
        const auto known = find_machine(*workspace, text);
        if (!known)
            return std::unexpected(known.error());
        if (*known)
            return from_record(**known);
    }
    if (auto preset = find_machine_preset(text))
        return from_preset(*std::move(preset));
    return fail(Fault::Input, fmt::format("there is no file '{}'{}, and the presets are {}", text,
                                          has_workspace ? ", no machine of this name in the workspace" : "",
                                          preset_keys()));
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

} // namespace sparsight
