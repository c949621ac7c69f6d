// Patterns as text, so that a test shows what it expects.
#pragma once

#include "domains/sparse/tensor/pattern.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace sparsight::testing {

/// One line a row: a '.' where nothing is stored, else the value (1 without values), columns parted by
/// blanks.
inline std::string picture(const CsrPattern& pattern) {
    std::string text;
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        auto e = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
        for (std::int64_t column = 0; column < pattern.cols; ++column) {
            const bool is_stored = e < end && pattern.column_ids[e] == column;
            text += column > 0 ? " " : "";
            if (!is_stored)
                text += ".";
            else
                text += fmt::format("{}", pattern.has_values() ? pattern.values[e] : 1.0F);
            e += is_stored ? 1 : 0;
        }
        text += "\n";
    }
    return text;
}

// Patterns as pictures: '#' is an entry, '.' is none, a line is a row.

inline CsrPattern pattern_from(const std::vector<std::string_view>& lines) {
    CsrPattern pattern;
    pattern.rows = static_cast<std::int64_t>(lines.size());
    pattern.cols = lines.empty() ? 0 : static_cast<std::int64_t>(lines.front().size());
    for (const std::string_view line : lines) {
        for (std::size_t col = 0; col < line.size(); ++col)
            if (line[col] == '#')
                pattern.column_ids.push_back(static_cast<std::int32_t>(col));
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

inline std::string ascii(const CsrPattern& pattern) {
    std::string text;
    for (std::size_t row = 0; row + 1 < pattern.row_pointers.size(); ++row) {
        std::string line(static_cast<std::size_t>(pattern.cols), '.');
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[row]);
             e < static_cast<std::size_t>(pattern.row_pointers[row + 1]); ++e)
            line[static_cast<std::size_t>(pattern.column_ids[e])] = '#';
        text += line + "\n";
    }
    return text;
}

} // namespace sparsight::testing
