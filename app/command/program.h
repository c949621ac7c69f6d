// A program of commands: parses the command line, runs one command, returns the exit code.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

struct Program {
    std::string name;             ///< what the user called it by
    std::string_view description; ///< what it is for
    std::string_view examples;    ///< one command line a line
    /// Adds its commands to the application. The session outlives the application.
    std::function<void(CLI::App&, Session&)> add_commands;
};

[[nodiscard]] int run_program(const Program& program, int argc, char** argv);

/// Whether --json stands there, for a command line that can't be parsed.
[[nodiscard]] bool asks_for_json(int argc, char** argv);

/// What the user called this program by, without the folder.
[[nodiscard]] std::string called_name(int argc, char** argv);

} // namespace sparsight
