#include "cli/named_inputs.h"

#include "base/files.h"
#include "command/session.h"
#include "command/terminal_text.h"
#include "domains/sparse/tensor/reading.h"
#include "machine/machine_edit.h"
#include "machine/machine_json.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"
#include "machine/probe/background_load.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "store/sparse/pattern_storage.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace sparsight {

bool names_file(const std::string& text) {
    std::error_code ignored;
    const auto status = std::filesystem::status(text, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

Result<MatrixRecord> matrix_named(Workspace& workspace, const std::string& name) {
    auto found = find_matrix(workspace, name);
    if (!found)
        return std::unexpected(found.error());
    if (*found)
        return std::move(**found);
    const auto all = list_matrices(workspace);
    if (!all)
        return std::unexpected(all.error());
    constexpr std::size_t few = 8;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(few, all->size()); ++i)
        names.push_back((*all)[i].name);
    return fail(
        Fault::Input,
        fmt::format("the workspace has no matrix '{}'; it has {}{}", name,
                    names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", ")),
                    all->size() > few ? fmt::format(" and {} more", all->size() - few) : std::string()));
}

Result<WorkspaceMatrix> find_in_workspace(const Session& session, const std::string& text) {
    if (!session.names_workspace() && !session.has_workspace())
        return fail(Fault::Input,
                    fmt::format("there is no file '{}', and no workspace {} that could have a matrix "
                                "of this name",
                                text, session.workspace_path()));
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    auto record = matrix_named(*workspace, text);
    if (!record && record.error().file.empty())
        record.error().message += "; nor is there a file of this name";
    if (!record)
        return std::unexpected(std::move(record).error());
    if (record->pattern == PatternPlace::Unknown)
        return fail(Fault::Input,
                    fmt::format("the workspace knows '{}' by its name alone: only runtimes of it were "
                                "imported, not its entries",
                                text));
    return WorkspaceMatrix{std::move(*workspace), std::move(*record)};
}

Result<NamedMatrix> load_named_matrix(const Session& session, const std::string& text) {
    if (names_file(text)) {
        auto loaded = read_matrix(text);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        return NamedMatrix{loaded->name, text, std::move(loaded->pattern)};
    }
    auto found = find_in_workspace(session, text);
    if (!found)
        return std::unexpected(std::move(found).error());
    auto pattern = load_pattern(found->workspace, found->record.id);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    return NamedMatrix{found->record.name, found->record.source, std::move(*pattern)};
}

Result<MeasurementLock> measuring_turn(const Session& session, const std::stop_token& stop) {
    return MeasurementLock::take(
        stop, [&] { session.remark("another program measures on this computer; waiting until it is done"); });
}

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
    const BackgroundLoad others;
    auto machine = probe_this_computer(options);
    const double taken = others.share().value_or(0);
    if (machine && taken > disturbing_share)
        session.remark(fmt::format("the computer was busy: other programs took {:.0f} % of its processors "
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
