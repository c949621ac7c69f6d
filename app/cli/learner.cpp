#include "cli/learner.h"

#include "command/learner_commands.h"
#include "command/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <filesystem>
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
        if (word == "--workspace" || word == "--seed")
            ++place;
        else if (!word.starts_with('-'))
            return word;
    }
    return {};
}

std::string reason(int number) {
    return std::generic_category().message(number);
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
    std::error_code unknown;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    const std::string beside = (folder / learner_program).string();
    ::execv(beside.c_str(), argv);
    Error error{Fault::Environment, fmt::format("can't be started: {}", reason(errno)), beside, 0};
    if (errno == ENOENT) {
        ::execvp(learner_program, argv);
        error = {
            Fault::Environment,
            fmt::format("{}, which trains and searches, is missing: it is neither beside this program (in "
                        "{}) nor in a folder of PATH",
                        learner_program, folder.string()),
            {},
            0};
    }
    return static_cast<int>(session.refuse(error));
}

} // namespace sparsight
