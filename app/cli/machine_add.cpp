#include "cli/commands.h"
#include "cli/named_machine.h"
#include "command/command.h"
#include "machine/machine_edit.h"
#include "machine/machine_parameters.h"
#include "store/imagined_machines.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp machine_add_help{.description = R"(
Adds a machine to the workspace: of a file that `machine show --json` or the
window wrote, or a preset, with whatever --set changes. A machine that was
changed is a simulated one, and named by the changes unless --name does. --set takes the parameters of `machine show`, in
their units; what else is known stays as it was, but for sockets, cores and
threads, which follow each other: with fewer threads than cores there are as many
cores as threads, and a remark says so. A machine of which the
workspace knows only the name and imported runtimes is described when a
machine of that --name is added.)",
                                       .examples = R"(
sparsight-cli machine add --preset laptop
sparsight-cli machine add --preset epyc-7543 --set cores=16 --set socket_gb_per_s=60 --name 'Half an EPYC'
sparsight-cli machine show laptop --json > laptop.json
sparsight-cli machine add laptop.json --name 'Another laptop')",
                                       .json = R"(
{"name", "fingerprint", "source", "new", "describes_recorded", "parameters"}
parameters are as `machine show --json` has them; new is false where the
workspace had exactly this machine.)"};

struct AddForm {
    std::string file;
    std::string preset;
    std::vector<std::string> settings;
    std::string name;
};

Result<MachineDescription> start_of(const AddForm& form) {
    if (!form.file.empty())
        return read_machine_file(form.file);
    auto preset = machine_of_preset(form.preset);
    if (!preset)
        return std::unexpected(std::move(preset).error());
    return std::move(preset->machine);
}

struct AskedMachine {
    MachineDescription machine;
    std::vector<std::string> changed_besides; ///< what follows from the settings without being one
};

/// What the command line asks for, before anything is stored.
Result<AskedMachine> asked_for(const AddForm& form) {
    auto start = start_of(form);
    if (!start)
        return std::unexpected(std::move(start).error());
    AskedMachine asked{*start, {}};
    if (!form.settings.empty()) {
        auto changed = with_settings(*start, form.settings);
        if (!changed)
            return std::unexpected(std::move(changed).error());
        asked.changed_besides = changed_besides(*start, *changed, form.settings);
        asked.machine = std::move(*changed);
        asked.machine.source = MachineSource::Simulated;
        asked.machine.calibration = {}; // its numbers are chosen now
    }
    if (!form.name.empty())
        asked.machine.name = form.name;
    else if (!form.settings.empty()) // the unchanged one keeps its name for itself
        asked.machine.name = fmt::format("{} with {}", start->name, fmt::join(form.settings, ", "));
    return asked;
}

ExitCode add(Session& session, const AddForm& form) {
    if (form.file.empty() == form.preset.empty())
        return session.refuse(
            fail(Fault::Input, "a machine is missing: expected either a FILE or --preset").error(),
            ExitCode::Usage);
    const auto asked = asked_for(form);
    if (!asked)
        return session.refuse(asked.error(), form.file.empty() ? ExitCode::Usage : ExitCode::SomeFailed);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto added = add_machine(*workspace, asked->machine);
    if (!added)
        return session.refuse(added.error());
    for (const std::string& change : asked->changed_besides)
        session.remark(fmt::format("to fit the settings, {}", change));
    const MachineRecord& record = added->record;
    const MachineDescription stored = description_of(record).value_or(asked->machine);
    if (session.options.json)
        session.print_json({{"name", record.name},
                            {"fingerprint", record.fingerprint},
                            {"source", name(stored.source)},
                            {"new", added->is_new},
                            {"describes_recorded", added->describes_recorded},
                            {"parameters", parameters_json(stored)}});
    else if (!added->is_new)
        session.remark(fmt::format("the workspace has exactly this machine already: {}", record.name));
    else if (added->describes_recorded)
        session.remark(fmt::format("{}, whose runtimes were imported, is described by it", record.name));
    else
        session.remark(fmt::format("added {}", record.name));
    return ExitCode::Done;
}

} // namespace

void add_machine_add(CLI::App& machine, Session& session) {
    CLI::App& command =
        add_command(machine, "add", "Add a machine of a file or a preset to the workspace", machine_add_help);
    const auto form = std::make_shared<AddForm>();
    command.add_option("file", form->file, "JSON of a machine")->type_name("FILE");
    command.add_option("--preset", form->preset, "start from this one, see `machine presets`")
        ->type_name("NAME");
    command.add_option("--set", form->settings, "change a parameter; may be given several times")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--name", form->name, "name of the machine")->type_name("NAME");
    set_action(command, session, [&session, form] { return add(session, *form); });
}

} // namespace sparsight
