// Settings out of a TOML file.
#include "base/regular_file.h"
#include "learn/settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <toml++/toml.h>
#include <utility>

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
    if (const auto regular = require_regular_file(file); !regular)
        return fail_in_file(regular.error().fault, file, 0, regular.error().message);
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad())
        return fail_in_file(Fault::Environment, file, 0, "cannot be read");
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        return fail_in_file(Fault::Input, file, static_cast<std::int64_t>(error.source().begin.line),
                            fmt::format("this is not TOML: {}", error.description()));
    }
}

} // namespace

Result<void> set_from_file(Settings& settings, const std::string& file) {
    const auto table = parse_file(file);
    if (!table)
        return std::unexpected(table.error());
    for (FileEntry& entry : entries_of(*table)) {
        if (!entry.value)
            return fail_in_file(
                Fault::Input, file, entry.line,
                fmt::format("'{}' is no setting: expected a text, a number, true or false, or "
                            "a list",
                            entry.name));
        if (auto set = settings.set(entry.name, *std::move(entry.value), {file, entry.line}); !set)
            return set;
    }
    return {};
}

} // namespace sparsight
