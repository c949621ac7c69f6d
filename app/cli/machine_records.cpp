#include "base/text.h"
#include "cli/commands.h"
#include "cli/machine_output.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "workflow/machines/data_sheets.h"
#include "workflow/machines/named_machines.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp machine_add_help{.description = R"(
Adds a machine to the workspace: from a file that `machine show --json` or the window
wrote, or from a preset. --set changes parameters of `machine show`, in their units.
The changed machine is simulated, and its name lists the changes unless --name is
given. All other parameters stay, except that sockets, cores and threads follow each
other: fewer threads than cores mean fewer cores, for example. A remark says so. If
the workspace knows only the name and imported runtimes of a machine, add a machine of
that --name to describe it.

--data-sheet describes the machine NAME by facts alone. It has recorded times: they
join it by its name, whether they are imported before or after. SHEET is a file, or a
preset (`machine presets --data-sheets`). A file has lines such as:
  name = "A100"                          # or NAME on the command line
  cores = 108                            # multiprocessors of a GPU
  max_shared_memory_per_block = "163KiB" # or a number of bytes
  boost_clock_mhz = 1410
  l3_kb = unknown                        # or no such line
`machine show` lists all fields with their meanings. A key ends with its unit. A fact
that is not stated is unknown, never 0, and models read that it is unknown.)",
                                       .examples = R"(
sparsight-cli machine add --preset laptop
sparsight-cli machine add --preset epyc-7543 --set cores=16 --set socket_gb_per_s=60 --name 'Half an EPYC'
sparsight-cli machine show laptop --json > laptop.json
sparsight-cli machine add laptop.json --name 'Another laptop'
sparsight-cli machine add A100 --data-sheet A100
sparsight-cli machine add 'New GPU' --data-sheet new-gpu.toml)",
                                       .json = R"(
{"name", "fingerprint", "source", "new", "describes_recorded", "parameters"}
parameters are as `machine show --json` has them; new is false where the
workspace had exactly this machine. With --data-sheet: {"name", "fingerprint",
"source", "new", "describes_recorded", "facts": {NAME: VALUE}, "unknown": [NAME]};
new is false where the workspace knew the machine by its times.)"};

struct AddForm {
    MachineRequest machine{};
    std::string sheet{}; ///< a file or a preset
};

/// FILE is the name of the machine then.
ExitCode add_by_sheet(Session& session, const AddForm& form) {
    if (!form.machine.preset.empty() || !form.machine.settings.empty())
        return session.refuse(
            fail(Fault::Input, "--data-sheet goes neither with --preset nor with --set").error(),
            ExitCode::Usage);
    if (!form.machine.file.empty() && !form.machine.name.empty())
        return session.refuse(
            fail(Fault::Input, fmt::format("the machine has two names, {} and {}: expected one",
                                           form.machine.file, form.machine.name))
                .error(),
            ExitCode::Usage);
    const auto sheet = requested_data_sheet(form.sheet);
    if (!sheet)
        return session.refuse(sheet.error());
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto added = add_machine_by_sheet(
        *workspace, form.machine.file.empty() ? form.machine.name : form.machine.file, *sheet);
    if (!added)
        return session.refuse(added.error());
    const MachineRecord& record = added->record;
    const std::vector<std::string> unknown = unknown_facts(added->facts);
    if (session.options.json) {
        session.print_json({{"name", record.name},
                            {"fingerprint", record.fingerprint},
                            {"source", name(MachineSource::Recorded)},
                            {"new", added->is_new},
                            {"describes_recorded", added->measurements > 0},
                            {"facts", added->facts},
                            {"unknown", unknown}});
        return ExitCode::Done;
    }
    session.remark(fmt::format(
        "{} {} by its data sheet: {}, {} unknown{}", added->is_new ? "added" : "described", record.name,
        counted(added->facts.size(), "fact", "facts"), unknown.size(),
        added->measurements > 0 ? fmt::format("; {} belong to it",
                                              counted(added->measurements, "recorded time", "recorded times"))
                                : std::string()));
    if (added->had_facts)
        session.remark("the facts of an earlier data sheet were replaced");
    return ExitCode::Done;
}

ExitCode add(Session& session, const MachineRequest& form) {
    if (form.file.empty() == form.preset.empty())
        return session.refuse(
            fail(Fault::Input, "a machine is missing: expected either a FILE or --preset").error(),
            ExitCode::Usage);
    const auto asked = requested_machine(form);
    if (!asked)
        return session.refuse(asked.error(), form.file.empty() ? ExitCode::Usage : ExitCode::SomeFailed);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto added = add_machine(*workspace, asked->machine);
    if (!added)
        return session.refuse(added.error());
    for (const std::string& change : asked->unrequested_changes)
        session.remark(fmt::format("changed to fit the settings: {}", change));
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
        add_command(machine, "add", "Add a machine of a file, a preset or a data sheet", machine_add_help);
    const auto form = std::make_shared<AddForm>();
    MachineRequest& of_file = form->machine;
    command
        .add_option("file", of_file.file, "JSON of a machine; with --data-sheet, the name\nof the machine")
        ->type_name("FILE|NAME");
    command.add_option("--preset", of_file.preset, "start from this preset, see `machine presets`")
        ->type_name("NAME");
    command.add_option("--set", of_file.settings, "change a parameter; may be given several times")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--name", of_file.name, "name of the machine")->type_name("NAME");
    command
        .add_option("--data-sheet", form->sheet,
                    "facts of the machine: a file, or a preset of\n`machine presets --data-sheets`")
        ->type_name("SHEET");
    set_action(command, session, [&session, form] {
        return form->sheet.empty() ? add(session, form->machine) : add_by_sheet(session, *form);
    });
}

namespace {

constexpr CommandHelp machine_sample_help{.description = R"(
Draws random machines and adds them to the workspace as simulated ones. They have 1 to
128 cores, 5 to 400 GB/s and 2 to 16 lanes, and vary as widely as real machines, with
similar correlations. Machine number 12 of a seed (--seed) is always the same, in the
same part, whatever --count is. The part is random, too: on average, eight of ten
machines are for training, one for validation and one for the test. A few machines may
lack a part.)",
                                          .examples = R"(
sparsight-cli machine sample --count 20 --seed 7)",
                                          .json = R"(
[{"name", "fingerprint", "part", "new", "cores", "copy_gb_per_s"}]
part is "train", "validation" or "test"; new is false for a machine that the
workspace had already.)"};

constexpr std::int64_t most_machines = 100'000;

ExitCode sample(Session& session, Workspace& workspace, std::int64_t count) {
    const auto sampled = sample_machines(workspace, count, session.options.seed);
    if (!sampled)
        return session.refuse(sampled.error());
    Json json = Json::array();
    for (const SampledMachine& machine : *sampled)
        json.push_back({{"name", machine.record.name},
                        {"fingerprint", machine.record.fingerprint},
                        {"part", name(machine.part)},
                        {"new", machine.is_new},
                        {"cores", machine.description.cores.value_or(0)},
                        {"copy_gb_per_s", machine.description.copy_bandwidth.all_threads->value}});
    const std::int64_t new_ones = std::ranges::count_if(*sampled, &SampledMachine::is_new);
    if (session.options.json)
        session.print_json(json);
    else
        session.remark(fmt::format("added {}{}", counted(new_ones, "machine", "machines"),
                                   new_ones < count
                                       ? fmt::format("; the workspace had the other {}", count - new_ones)
                                       : std::string()));
    return ExitCode::Done;
}

} // namespace

void add_machine_sample(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(machine, "sample", "Add machines drawn from a family to the workspace",
                                    machine_sample_help);
    const auto count = std::make_shared<std::int64_t>(1);
    command.add_option("--count", *count, "number of machines (default 1)")
        ->type_name("N")
        ->check(whole_numbers(1, most_machines));
    set_action(command, session, WorkspaceUse::Make,
               [&session, count](Workspace& workspace) { return sample(session, workspace, *count); });
}

namespace {

constexpr CommandHelp machine_remove_help{.description = R"(
Removes a machine from the workspace: a simulated one, or one with imported runtimes.
A machine with stored runtimes stays, unless --with-measurements removes both.
Matrices, schedules and models stay. This computer can't be removed. Removing can't be
undone.)",
                                          .examples = R"(
sparsight-cli machine remove 'Laptop with cores=2'
sparsight-cli machine remove 'Laptop (simulated)' --with-measurements)",
                                          .json = R"(
{"name", "fingerprint", "removed_measurements"})"};

struct RemoveForm {
    std::string machine;
    bool with_measurements = false;
};

ExitCode remove_as_asked(Session& session, Workspace& workspace, const RemoveForm& form) {
    const auto machine = machine_to_remove(workspace, form.machine, form.with_measurements);
    if (!machine)
        return session.refuse(machine.error());
    const auto times = remove_machine_with_times(workspace, machine->id);
    if (!times)
        return session.refuse(times.error(), ExitCode::Workspace);
    if (session.options.json)
        session.print_json({{"name", machine->name},
                            {"fingerprint", machine->fingerprint},
                            {"removed_measurements", *times}});
    else
        session.remark(fmt::format("removed {} with {}", machine->name,
                                   counted(*times, "stored runtime", "stored runtimes")));
    return ExitCode::Done;
}

} // namespace

void add_machine_remove(CLI::App& machine, Session& session) {
    CLI::App& command =
        add_command(machine, "remove", "Remove a machine from the workspace", machine_remove_help);
    const auto form = std::make_shared<RemoveForm>();
    command.add_option("machine", form->machine, "whole name or fingerprint")
        ->type_name("MACHINE")
        ->required();
    command.add_flag("--with-measurements", form->with_measurements, "also remove its stored runtimes");
    set_action(command, session, WorkspaceUse::Write,
               [&session, form](Workspace& workspace) { return remove_as_asked(session, workspace, *form); });
}

} // namespace sparsight
