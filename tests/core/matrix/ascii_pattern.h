// Patterns as pictures: '#' is an entry, '.' is none, a line is a row.
#pragma once

#include "matrix/pattern.h"

#include <string>
#include <string_view>

namespace sparsight::testing {

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
