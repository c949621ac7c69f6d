#include "base/text.h"
#include "cli/commands.h"
#include "cli/named_inputs.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"
#include "machine/machine_parameters.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
    std::vector<std::string> unrequested_changes; ///< what follows from the settings without being one
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
        asked.unrequested_changes = unrequested_changes(*start, *changed, form.settings);
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
    for (const std::string& change : asked->unrequested_changes)
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

namespace {

constexpr CommandHelp machine_sample_help{.description = R"(
Draws machines and adds them to the workspace as simulated ones: from one core
to 128, 5 to 400 GB/s, 2 to 16 lanes, small and large caches, cheap and dear
loops, as widely and as correlated as real machines are. Machine number 12 of a
seed (--seed) is always the same, whatever --count is, and always in the same
part. The part is drawn as well: on average eight of ten machines are for
training, one is for validation and one for a test, so of few there may be none.)",
                                          .examples = R"(
sparsight-cli machine sample --count 20 --seed 7)",
                                          .json = R"(
[{"name", "fingerprint", "part", "new", "cores", "copy_gb_per_s"}]
part is "train", "validation" or "test"; new is false for a machine that the
workspace had already.)"};

constexpr std::int64_t most_machines = 100'000;

ExitCode sample(Session& session, std::int64_t count) {
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    Json json = Json::array();
    std::int64_t new_ones = 0;
    const std::uint64_t seed = session.options.seed;
    const auto stored = in_one_transaction(*workspace, [&]() -> Result<void> {
        for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
            const MachineDescription machine = sampled_machine(seed, index);
            const auto added = add_machine(*workspace, machine);
            if (!added)
                return std::unexpected(added.error());
            new_ones += added->is_new ? 1 : 0;
            json.push_back({{"name", added->record.name},
                            {"fingerprint", added->record.fingerprint},
                            {"part", name(family_part(seed, index))},
                            {"new", added->is_new},
                            {"cores", machine.cores.value_or(0)},
                            {"copy_gb_per_s", machine.copy_bandwidth.all_threads->value}});
        }
        return {};
    });
    if (!stored)
        return session.refuse(stored.error());
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
    command.add_option("--count", *count, "how many (default 1)")
        ->type_name("N")
        ->check(whole_numbers(1, most_machines));
    set_action(command, session, [&session, count] { return sample(session, *count); });
}

namespace {

constexpr CommandHelp machine_remove_help{.description = R"(
Removes a machine from the workspace: one that was imagined, simulated, or whose
runtimes were imported. Runtimes that are stored for it are kept, and the machine
with them, unless --with-measurements removes both; matrices, schedules and models
stay. This computer stays in any case. There is no way back.)",
                                          .examples = R"(
sparsight-cli machine remove 'Laptop with cores=2'
sparsight-cli machine remove 'Laptop (simulated)' --with-measurements)",
                                          .json = R"(
{"name", "fingerprint", "removed_measurements"})"};

struct RemoveForm {
    std::string machine;
    bool with_measurements = false;
};

/// The machine, if it may be removed as it was asked for.
Result<MachineRecord> machine_to_remove(Workspace& workspace, const RemoveForm& form) {
    auto machine = find_machine(workspace, form.machine);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    if (!*machine)
        return fail(Fault::Input,
                    fmt::format("the workspace knows no machine '{}'; `machine list` names those "
                                "that it knows",
                                form.machine));
    const auto here = describe_this_machine();
    if (here && here->fingerprint() == (*machine)->fingerprint)
        return fail(Fault::Input, fmt::format("{} is this computer, which is not removed: what is measured "
                                              "next would belong to it again",
                                              (*machine)->name));
    const auto times = count_measurements_on(workspace, (*machine)->id);
    if (!times)
        return std::unexpected(times.error());
    if (*times > 0 && !form.with_measurements)
        return fail(Fault::Input,
                    fmt::format("{} stored for {}; --with-measurements removes them with the machine",
                                counted(*times, "runtime is", "runtimes are"), (*machine)->name));
    return **std::move(machine);
}

ExitCode remove_as_asked(Session& session, const RemoveForm& form) {
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto machine = machine_to_remove(*workspace, form);
    if (!machine)
        return session.refuse(machine.error());
    const auto times = remove_machine_with_times(*workspace, machine->id);
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
    command.add_option("machine", form->machine, "name or fingerprint")->type_name("MACHINE")->required();
    command.add_flag("--with-measurements", form->with_measurements,
                     "with the runtimes that are stored for it");
    set_action(command, session, [&session, form] { return remove_as_asked(session, *form); });
}

} // namespace sparsight
