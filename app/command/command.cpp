#include "command/command.h"

#include "command/help_page.h"
#include "command/options.h"
#include "command/session.h"

#include <CLI/CLI.hpp>

namespace sparsight {

namespace {

std::string name_of_program(const CLI::App& command) {
    const CLI::App* root = &command;
    while (root->get_parent() != nullptr)
        root = root->get_parent();
    return root->get_name();
}

} // namespace

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const CommandHelp& help) {
    CLI::App* command = parent.add_subcommand(name, summary);
    const std::string page = help_section("Description", help.description) +
                             help_section("Examples", help.examples) +
                             help_section("JSON (--json)", help.json) +
                             "Every command also takes --workspace FILE, --config FILE, --json, --seed N and "
                             "--quiet; `sparsight-cli\n--help` explains them and the exit codes.";
    command->footer(in_the_name_of(name_of_program(parent), page));
    command->group("Commands");
    return *command;
}

void set_action(CLI::App& command, Session& session, std::function<ExitCode()> action) {
    command.callback([&command, &session, action = std::move(action)] {
        remark_on_unused_dense(command, session);
        session.set_exit_code(action());
    });
}

} // namespace sparsight
