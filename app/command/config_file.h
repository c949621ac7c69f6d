// Settings of a command in a TOML file: read the same way for all commands.
#pragma once

#include "command/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

struct ConfigEntry {
    std::int64_t line = 0;
    std::string name;
    Json value; ///< a text, a number, true or false, or a list
};

/// In the order of the file. Errors name the file and the line: it can't be read, it is no TOML, a value is
/// none of these.
[[nodiscard]] Result<std::vector<ConfigEntry>> read_config_file(const std::string& file);

/// Gives the command, and those above it, what the file has for their options ("budget = 5000" is --budget
/// 5000) where the command line says nothing. Errors (Fault::Input, with file and line): no such option, or a
/// value that the option does not take.
[[nodiscard]] Result<void> apply_config_file(CLI::App& command, const std::string& file);

} // namespace sparsight
