// sparsight-cli as a function: parses the command line, runs one command, returns the exit code.
#pragma once

namespace sparsight {

[[nodiscard]] int run_command_line(int argc, char** argv);

} // namespace sparsight
