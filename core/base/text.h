// Text without the white space around it.
#pragma once

#include <concepts>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Without the blanks, tabs and line breaks at both ends (those of the C locale).
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view white_space = " \t\r\n\f\v";
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

// Counts in texts for users.

/// "1 matrix", "0 matrices", "25600 matrices".
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Comma-separated values (RFC 4180).

/// A field of a line: quoted only where it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The fields of a line, which has no line break, in `fields`, whose memory is used again. False where a
/// quoted field does not end as it should.
[[nodiscard]] bool split_csv_line(std::string_view line, std::vector<std::string>& fields);

} // namespace sparsight
