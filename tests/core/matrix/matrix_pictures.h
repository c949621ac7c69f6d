// Patterns as text, so that a test shows what it expects.
#pragma once

#include "matrix/pattern.h"

#include <fmt/format.h>
#include <string>

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

} // namespace sparsight::testing
