#include "cli/named_machine.h"

#include "base/regular_file.h"
#include "cli/matrix_source.h"
#include "cli/this_machine.h"
#include "command/table.h"
#include "machine/machine_edit.h"
#include "machine/machine_json.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"
#include "machine/parameter_origin.h"
#include "store/imagined_machines.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

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

Result<NamedMachine> named_machine(const Session& session, const std::string& text) {
    if (names_file(text)) {
        auto machine = read_machine_file(text);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        return NamedMachine{*std::move(machine), {}, text, {}};
    }
    const bool has_workspace = session.names_workspace() || session.has_workspace();
    if (has_workspace) {
        auto workspace = session.open_workspace(WorkspaceAccess::Read);
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

Result<NamedMachine> this_named_machine(const Session& session) {
    auto facts = describe_this_machine();
    if (!facts)
        return std::unexpected(std::move(facts).error());
    if (session.names_workspace() || session.has_workspace()) {
        auto workspace = session.open_workspace(WorkspaceAccess::Read);
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

Json parameters_json(const MachineDescription& machine) {
    const auto [values, assumed] = resolve_parameters(machine);
    Json json = Json::array();
    for (const ParameterInfo& info : all_parameters()) {
        const auto doubt = doubt_left(machine, info.parameter);
        json.push_back({{"key", info.key},
                        {"value", values[info.parameter]},
                        {"unit", info.unit},
                        {"assumed", std::ranges::find(assumed, info.parameter) != assumed.end()},
                        {"origin", name(origin_of(machine, info.parameter))},
                        {"doubt_left", doubt ? Json(*doubt) : Json()}});
    }
    return json;
}

std::string parameters_text(const MachineDescription& machine) {
    const MachineParameters values = resolve_parameters(machine).values;
    const bool says_doubt = !machine.calibration.doubt_left.empty();
    std::vector<Table::Column> columns{{"parameter"}, {"value", Align::Right}, {"unit"}, {"origin"}};
    if (says_doubt)
        columns.push_back({"doubt left", Align::Right});
    Table table(std::move(columns));
    for (const ParameterInfo& info : all_parameters()) {
        std::vector<std::string> row{std::string(info.key), value_text(info, values[info.parameter]),
                                     std::string(info.unit == "B" ? "" : info.unit),
                                     std::string(name(origin_of(machine, info.parameter)))};
        const auto doubt = doubt_left(machine, info.parameter);
        if (says_doubt)
            row.push_back(doubt ? fmt::format("{:.0f} %", 100 * *doubt) : "");
        table.add_row(std::move(row));
    }
    return table.text();
}

} // namespace sparsight
