// Settings of a command in a TOML file: read the same way for all commands.
#pragma once

#include "command/session.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// What is wrong in a file of --config, with its place: thrown where the command line is read.
class ConfigError : public CLI::ParseError {
public:
    explicit ConfigError(sparsight::Error error)
        : ParseError(error.message, CLI::ExitCodes::ConversionError)
        , error_(std::move(error)) {}

    [[nodiscard]] const sparsight::Error& error() const { return error_; }

private:
    sparsight::Error error_;
};

/// That of a setting, without dashes in front: inner-rate of inner_rate.
[[nodiscard]] std::string option_name(std::string setting);

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
/// The same with some of what the file has.
[[nodiscard]] Result<void> apply_config_entries(CLI::App& command, const std::string& file,
                                                const std::vector<ConfigEntry>& entries);

} // namespace sparsight
