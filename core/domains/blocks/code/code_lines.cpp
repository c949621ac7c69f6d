#include "domains/blocks/code/code_lines.h"

#include "base/text.h"
#include "domains/blocks/code/machine_code.h"

#include <algorithm>
#include <cctype>

namespace sparsight {
namespace {

/// Of the beginning of each instruction among the bytes that digits give.
std::vector<std::size_t> lines_of_bytes(std::span<const Instruction> block, std::string_view text) {
    std::vector<std::size_t> lines;
    std::size_t line = 0;
    std::size_t digits = 0;
    for (const char sign : text) {
        line += sign == '\n' ? 1 : 0;
        if (std::isxdigit(static_cast<unsigned char>(sign)) == 0)
            continue;
        if (lines.size() < block.size() && digits == 2 * block[lines.size()].offset)
            lines.push_back(line);
        ++digits;
    }
    return lines;
}

/// Behind the labels of a line: "again: nop" is "nop".
std::string_view without_labels(std::string_view line) {
    while (true) {
        line = trimmed(line);
        const std::size_t end = line.find_first_of(": \t\"'[");
        if (end == std::string_view::npos || end == 0 || line[end] != ':')
            return line;
        line.remove_prefix(end + 1);
    }
}

} // namespace

std::vector<std::size_t> lines_of(std::span<const Instruction> block, std::string_view text) {
    std::vector<std::size_t> lines;
    if (is_hex(text)) {
        lines = lines_of_bytes(block, text);
    } else {
        for (std::size_t line = 0; !text.empty(); ++line) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view rest = text.substr(0, end);
            rest = rest.substr(0, std::min(rest.find('#'), rest.size()));
            text.remove_prefix(std::min(end + 1, text.size()));
            while (!rest.empty()) {
                const std::size_t part = std::min(rest.find(';'), rest.size());
                const std::string_view code = without_labels(rest.substr(0, part));
                if (!code.empty() && code.front() != '.')
                    lines.push_back(line);
                rest.remove_prefix(std::min(part + 1, rest.size()));
            }
        }
    }
    if (lines.size() != block.size())
        lines.clear();
    return lines;
}

} // namespace sparsight
