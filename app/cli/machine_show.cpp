#include "cli/commands.h"
#include "cli/named_machine.h"
#include "command/command.h"
#include "command/table.h"
#include "machine/machine_json.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp show_help{.description = R"(
Shows a machine as a simulation takes it: every parameter with its unit and
where its value comes from. Stated: by the operating system, a data sheet, or
whoever chose it. Measured: by `machine probe`. Fitted: by `machine calibrate`.
Typical: nothing says it of this machine. Of a calibrated machine it also says
what the measurements left of the doubt about each parameter: near 100 % they do
not determine it. MACHINE is a file with a machine's
JSON, the name of a machine of the workspace, or a preset (`machine presets`);
without it, this computer as it was probed.)",
                                .examples = R"(
sparsight-cli machine show
sparsight-cli machine show epyc-7543
sparsight-cli machine show epyc-7543 --json)",
                                .json = R"(
{"fingerprint", what `machine probe --json` prints, "origin", "note",
 "parameters": [{"key", "value", "unit", "assumed", "origin", "doubt_left"}]}
doubt_left is 0 to 1, or null where no calibration looked at the parameter.)"};

constexpr CommandHelp presets_help{.description = R"(
Lists machines to start from: real processors by their data sheets, typical
ones, and the two that the meta-learning report imagines, each with the source
of its numbers and what of them is estimated.)",
                                   .examples = R"(sparsight-cli machine presets)",
                                   .json = R"(
[{"key", "name", "source", "note", "description"}]
description is as `machine probe --json` has it, without the fingerprint.)"};

ExitCode show(Session& session, const std::string& text) {
    const auto named = text.empty() ? this_named_machine(session) : named_machine(session, text);
    if (!named)
        return session.refuse(named.error());
    const MachineDescription& machine = named->machine;
    const std::string fingerprint = named->fingerprint.empty() ? machine.fingerprint() : named->fingerprint;
    if (session.options.json) {
        Json json{{"fingerprint", fingerprint}};
        json.update(machine_to_json(machine));
        json["origin"] = named->origin;
        json["note"] = named->note;
        json["parameters"] = parameters_json(machine);
        session.print_json(json);
        return ExitCode::Done;
    }
    session.print(fmt::format("{}\n  fingerprint  {}\n  kind         {}\n  from         {}\n{}\n{}",
                              machine.name, fingerprint, name(machine.source), named->origin,
                              named->note.empty() ? "" : fmt::format("  note         {}\n", named->note),
                              parameters_text(machine)));
    return ExitCode::Done;
}

ExitCode list_presets(Session& session) {
    Json json = Json::array();
    Table table({{"preset"},
                 {"cores", Align::Right},
                 {"threads", Align::Right},
                 {"GHz", Align::Right},
                 {"GB/s", Align::Right},
                 {"source"}});
    for (const MachinePreset& preset : machine_presets()) {
        json.push_back({{"key", preset.key},
                        {"name", preset.machine.name},
                        {"source", preset.source},
                        {"note", preset.note},
                        {"description", machine_to_json(preset.machine)}});
        const MachineDescription& machine = preset.machine;
        table.add_row({std::string(preset.key), machine.cores ? fmt::to_string(*machine.cores) : "?",
                       machine.threads ? fmt::to_string(*machine.threads) : "?",
                       machine.clock ? fmt::format("{:.4g}", machine.clock->value) : "?",
                       machine.copy_bandwidth.all_threads
                           ? fmt::format("{:.4g}", machine.copy_bandwidth.all_threads->value)
                           : "?",
                       std::string(preset.source)});
    }
    if (session.options.json)
        session.print_json(json);
    else
        session.print(table.text());
    return ExitCode::Done;
}

} // namespace

void add_machine_show(CLI::App& machine, Session& session) {
    CLI::App& command =
        add_command(machine, "show", "Show all parameters of a machine, and where each is from", show_help);
    const auto name = std::make_shared<std::string>();
    command.add_option("machine", *name, "a file, a machine of the workspace, or a preset")
        ->type_name("MACHINE");
    set_action(command, session, [&session, name] { return show(session, *name); });
}

void add_machine_presets(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(machine, "presets", "List machines to start from", presets_help);
    set_action(command, session, [&session] { return list_presets(session); });
}

} // namespace sparsight
