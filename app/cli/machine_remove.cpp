#include "base/plural.h"
#include "cli/commands.h"
#include "cli/this_machine.h"
#include "command/command.h"
#include "command/session.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

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
