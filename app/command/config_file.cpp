#include "command/config_file.h"

#include "base/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <toml++/toml.h>

namespace sparsight {

namespace {

/// Nothing for what no setting is: dates and tables.
std::optional<Json> as_json(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>())
        return Json(*text);
    if (const auto number = node.value_exact<std::int64_t>())
        return Json(*number);
    if (const auto number = node.value_exact<double>())
        return Json(*number);
    if (const auto truth = node.value_exact<bool>())
        return Json(*truth);
    const toml::array* const list = node.as_array();
    if (list == nullptr)
        return std::nullopt;
    Json values = Json::array();
    for (const toml::node& each : *list) {
        auto value = as_json(each);
        if (!value)
            return std::nullopt;
        values.push_back(*std::move(value));
    }
    return values;
}

struct FileEntry {
    std::int64_t line = 0;
    std::string name;
    std::optional<Json> value;
};

/// In the order of the file: a table of toml++ is sorted by name.
std::vector<FileEntry> entries_of(const toml::table& table) {
    std::vector<FileEntry> entries;
    for (const auto& [key, node] : table)
        entries.push_back(
            {static_cast<std::int64_t>(key.source().begin.line), std::string(key.str()), as_json(node)});
    std::ranges::stable_sort(entries, {}, &FileEntry::line);
    return entries;
}

Result<toml::table> parse_file(const std::string& file) {
    const auto text = read_whole_file(file);
    if (!text)
        return std::unexpected(text.error());
    try {
        return toml::parse(*text);
    } catch (const toml::parse_error& error) {
        return fail_in_file(Fault::Input, file, static_cast<std::int64_t>(error.source().begin.line),
                            fmt::format("this is not TOML: {}", error.description()));
    }
}

/// As the command line would say it.
std::string word(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Of the command or of one above it; nullptr: there is none. What only makes sense on a command line is
/// none.
CLI::Option* find_option(CLI::App* command, const std::string& name) {
    if (name == "help" || name == "version" || name == "config")
        return nullptr;
    for (; command != nullptr; command = command->get_parent()) {
        if (CLI::Option* const option = command->get_option_no_throw("--" + name))
            return option;
        if (CLI::Option* const positional = command->get_option_no_throw(name))
            return positional;
    }
    return nullptr;
}

/// Of the command alone: those of all commands are told by the program's help.
std::vector<std::string> setting_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        std::string name =
            option->get_lnames().empty() ? option->get_name(true) : option->get_lnames().front();
        std::ranges::replace(name, '-', '_');
        if (name != "help" && name != "config")
            names.push_back(std::move(name));
    }
    return names;
}

void set(CLI::Option& option, const std::string& name, const Json& value) {
    const bool is_flag = option.get_expected_max() == 0;
    if (is_flag && !value.is_boolean())
        throw CLI::ValidationError(name, fmt::format("expected true or false, not {}", value.dump()));
    if (is_flag) {
        if (!value.get<bool>())
            return;
        option.add_result(option.get_flag_value("--" + name, "true"));
    } else if (value.is_array()) {
        for (const Json& each : value)
            option.add_result(word(each));
    } else {
        option.add_result(word(value));
    }
    if (option.count() > 0)
        option.run_callback();
}

} // namespace

std::string option_name(std::string setting) {
    std::ranges::replace(setting, '_', '-');
    return setting;
}

Result<std::vector<ConfigEntry>> read_config_file(const std::string& file) {
    const auto table = parse_file(file);
    if (!table)
        return std::unexpected(table.error());
    std::vector<ConfigEntry> read;
    for (FileEntry& entry : entries_of(*table)) {
        if (!entry.value)
            return fail_in_file(
                Fault::Input, file, entry.line,
                fmt::format("'{}' is no setting: expected a text, a number, true or false, or "
                            "a list",
                            entry.name));
        read.push_back({entry.line, std::move(entry.name), *std::move(entry.value)});
    }
    return read;
}

Result<void> apply_config_file(CLI::App& command, const std::string& file) {
    const auto entries = read_config_file(file);
    if (!entries)
        return std::unexpected(entries.error());
    return apply_config_entries(command, file, *entries);
}

Result<void> apply_config_entries(CLI::App& command, const std::string& file,
                                  const std::vector<ConfigEntry>& entries) {
    for (const ConfigEntry& entry : entries) {
        const std::string name = option_name(entry.name);
        CLI::Option* const option = find_option(&command, name);
        if (option == nullptr)
            return fail_in_file(Fault::Input, file, entry.line,
                                fmt::format("there is no setting '{}'; there are {}", entry.name,
                                            fmt::join(setting_names(command), ", ")));
        if (option->count() > 0)
            continue; // the command line comes first
        try {
            set(*option, name, entry.value);
        } catch (const CLI::ParseError& error) {
            return fail_in_file(Fault::Input, file, entry.line, error.what());
        }
    }
    return {};
}

} // namespace sparsight
