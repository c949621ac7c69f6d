#include "cli/learner.h"

#include "cli/learner_child.h"
#include "command/learner_commands.h"
#include "command/library_settings.h"
#include "command/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace sparsight {

namespace {

/// The first word that is neither an option of all commands (session.h: GlobalOptions) nor the value of one.
std::string_view first_command(int argc, char** argv) {
    for (int place = 1; place < argc; ++place) {
        const std::string_view word = argv[place];
        if (word == "--workspace" || word == "--seed" || word == "--config")
            ++place;
        else if (!word.starts_with('-'))
            return word;
    }
    return {};
}

} // namespace

void add_learner_commands(CLI::App& app) {
    for (const CommandSummary& command : learner_commands)
        app.add_subcommand(std::string(command.name), std::string(command.summary))->group("Commands");
}

bool is_for_learner(int argc, char** argv) {
    return std::ranges::count(learner_commands, first_command(argc, argv), &CommandSummary::name) > 0;
}

int become_learner(Session& session, char** argv) {
    const auto program = find_learner();
    if (!program)
        return static_cast<int>(session.refuse(program.error()));
    improve_library_settings(); // else it would load its libraries twice
    ::execv(program->c_str(), argv);
    const int why = errno;
    return static_cast<int>(session.refuse(
        {Fault::Environment, fmt::format("can't be started: {}", std::generic_category().message(why)),
         program->string(), 0}));
}

} // namespace sparsight
