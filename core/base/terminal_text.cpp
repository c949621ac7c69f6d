#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace sparsight {

namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool is_valid = false;
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {lead, 1, true};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes)
        return {};
    std::uint32_t code = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < least[bytes] || code > 0x10FFFF || is_surrogate)
        return {};
    return {code, bytes, true};
}

bool is_control(std::uint32_t code) {
    const bool turns_direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || turns_direction;
}

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};
constexpr std::array combining{Range{0x300, 0x36F},   Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
                               Range{0x200B, 0x200D}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
                               Range{0xFE20, 0xFE2F}};
constexpr std::array wide{Range{0x1100, 0x115F},  Range{0x2E80, 0x303E}, Range{0x3041, 0xA4CF},
                          Range{0xAC00, 0xD7A3},  Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},
                          Range{0xFF00, 0xFF60},  Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF},
                          Range{0x20000, 0x3FFFD}};

std::size_t width_of(std::uint32_t code) {
    const auto contains = [code](const Range& range) { return code >= range.first && code <= range.last; };
    if (std::ranges::any_of(combining, contains))
        return 0;
    return std::ranges::any_of(wide, contains) ? 2 : 1;
}

} // namespace

std::string displayed(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const Character character = first_character(text);
        if (character.is_valid && !is_control(character.code))
            shown += text.substr(0, character.bytes);
        else
            shown += '?';
        text.remove_prefix(character.bytes);
    }
    return shown;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const Character character = first_character(text);
        width += width_of(character.code);
        text.remove_prefix(character.bytes);
    }
    return width;
}

std::string_view fitting(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        const Character character = first_character(text.substr(bytes));
        const std::size_t needed = width_of(character.code);
        if (needed > width)
            break;
        width -= needed;
        bytes += character.bytes;
    }
    return text.substr(0, bytes);
}

namespace {

constexpr std::size_t gap = 2;

void add_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
    const std::size_t used = display_width(cell);
    const std::string filler(width - std::min(width, used), ' ');
    line += align == Align::Right ? filler + cell : cell + filler;
}

} // namespace

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    for (std::string& cell : cells)
        cell = displayed(cell);
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (const Column& column : columns_) {
        titles.push_back(column.title);
        widths.push_back(display_width(column.title));
    }
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));

    std::string text;
    const auto add_line = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0)
                line.append(gap, ' ');
            add_cell(line, cells[i], widths[i], columns_[i].align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    add_line(titles);
    for (const auto& row : rows_)
        add_line(row);
    return text;
}

std::string shell_word(std::string_view text) {
    const bool is_plain = !text.empty() && std::ranges::all_of(text, [](unsigned char each) {
        return std::isalnum(each) != 0 || each == '.' || each == '/' || each == '-' || each == '_';
    });
    if (is_plain)
        return std::string(text);
    std::string word = "'";
    for (const char each : text)
        word += each == '\'' ? std::string(R"('\'')") : std::string(1, each);
    return word + "'";
}

} // namespace sparsight
