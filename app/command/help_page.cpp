#include "command/help_page.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr std::string_view written_name = "sparsight-cli";

std::string_view without_outer_newlines(std::string_view text) {
    while (text.starts_with('\n'))
        text.remove_prefix(1);
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return text;
}

} // namespace

std::string help_section(std::string_view title, std::string_view text) {
    if (text.empty())
        return {};
    std::string section = fmt::format("{}:\n", title);
    std::string_view rest = without_outer_newlines(text);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        section += line.empty() ? "\n" : fmt::format("  {}\n", line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return section + "\n";
}

std::string in_the_name_of(std::string_view program, std::string text) {
    for (std::size_t at = text.find(written_name); at != std::string::npos;
         at = text.find(written_name, at + program.size()))
        text.replace(at, written_name.size(), program);
    return text;
}

} // namespace sparsight
