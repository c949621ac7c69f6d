// What a command tells the shell. `sparsight-cli --help` lists these numbers; scripts rely on them.
#pragma once

#include "study/domain.h"

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

enum class ExitCode : int {
    Done = 0,
    SomeFailed = 1,    ///< some or all that was given could not be used; each such thing is listed
    Usage = 2,         ///< the command line itself is wrong
    Workspace = 3,     ///< the workspace can't be opened, read or written
    Interrupted = 130, ///< stopped by a signal; what was finished is kept
};

// Pages of help in the manner of manual pages.

/// A title and the text below it, indented, with an empty line behind; nothing for an empty text.
[[nodiscard]] std::string help_section(std::string_view title, std::string_view text);

/// Texts are written for sparsight-cli, which hands over to sparsight-learn; whoever calls that one by its
/// own name reads that.
[[nodiscard]] std::string in_the_name_of(std::string_view program, std::string text);

// How every command is made: its name, a help page in the manner of a manual page, and what it does.

class Session;

/// What `--help` says below the list of options; a section that is empty is left out.
struct CommandHelp {
    std::string_view description; ///< what it does, in sentences
    std::string_view examples;    ///< one command line a line
    std::string_view json;        ///< what --json prints
    /// Of a command with --progress json: events of its own, one a line. Those that all have follow by
    /// themselves, but for an "end" that is not what --json prints.
    std::string_view events{};
};

/// `summary` is the line in the list of commands.
CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const CommandHelp& help);

/// SIGINT and SIGTERM wait until the command begins, also while execv() loads another of our programs into
/// this process: it takes a second to load LibTorch, and would die of them without a word. To be called first
/// in main(); run_program() may do without.
void hold_interrupts();

/// What the command does once the whole command line is parsed. Signals that were held until then end it with
/// a message.
void set_action(CLI::App& command, Session& session, std::function<ExitCode()> action);

// A program of commands: parses the command line, runs one command, returns the exit code.

struct Program {
    std::string name;             ///< what the user called it by
    std::string_view description; ///< what it is for
    std::string_view examples;    ///< one command line a line
    /// Adds its commands to the application. The session outlives the application.
    std::function<void(CLI::App&, Session&)> add_commands;
};

/// `domains` are those that its commands serve.
[[nodiscard]] int run_program(const Program& program, DomainRegistry domains, int argc, char** argv);

/// Whether --json stands there, for a command line that can't be parsed.
[[nodiscard]] bool asks_for_json(int argc, char** argv);

/// What the user called this program by, without the folder.
[[nodiscard]] std::string called_name(int argc, char** argv);

} // namespace sparsight
