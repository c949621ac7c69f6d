// How every command is made: its name, a help page in the manner of a manual page, and what it does.
#pragma once

#include "command/exit_code.h"

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// What `--help` says below the list of options; a section that is empty is left out.
struct CommandHelp {
    std::string_view description; ///< what it does, in sentences
    std::string_view examples;    ///< one command line a line
    std::string_view json;        ///< what --json prints
};

/// `summary` is the line in the list of commands.
CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const CommandHelp& help);

/// What the command does once the whole command line is parsed.
void set_action(CLI::App& command, Session& session, std::function<ExitCode()> action);

} // namespace sparsight
