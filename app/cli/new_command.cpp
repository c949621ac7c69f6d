#include "cli/commands.h"
#include "command/command.h"
#include "command/session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp new_help{.description = R"(
Makes an empty workspace: one file that holds matrices, machines, schedules and
measurements. A file that is there already is never touched. Without FILE it is
made where --workspace says.)",
                           .examples = R"(
sparsight-cli new experiment.sparsight
export SPARSIGHT_WORKSPACE=experiment.sparsight    # for all commands that follow)",
                           .json = R"({"workspace": FILE})"};

/// The file that is given here counts, whatever --workspace and the environment say: one makes a second
/// workspace while the first one is named.
ExitCode make_workspace(Session& session, const std::string& file) {
    const std::string path = file.empty() ? session.workspace_path() : file;
    const auto workspace = Workspace::create(path, session.program_version());
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    if (session.options.json)
        session.print_json({{"workspace", path}});
    else
        session.remark(fmt::format("made the workspace {}", path));
    return ExitCode::Done;
}

} // namespace

void add_new_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "new", "Make an empty workspace", new_help);
    const auto file = std::make_shared<std::string>();
    command.add_option("file", *file, "the workspace to make")->type_name("FILE");
    set_action(command, session, [&session, file] { return make_workspace(session, *file); });
}

} // namespace sparsight
