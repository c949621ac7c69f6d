// Small helpers for text: trimming, counts in sentences for users, and comma-separated values (RFC 4180).
#pragma once

#include <concepts>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The text without blanks, tabs and line breaks (those of the C locale) at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view white_space = " \t\r\n\f\v";
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

/// In capitals or not (those of the C locale).
[[nodiscard]] bool begins_with(std::string_view text, std::string_view beginning);

/// "1 matrix", "0 matrices", "25600 matrices".
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// A CSV field, quoted only where it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

/// Puts the fields of a line without a line break into `fields`, whose memory is reused. False where a
/// quotation mark stands elsewhere than around a field, or doubled inside one.
[[nodiscard]] bool split_csv_line(std::string_view line, std::vector<std::string>& fields);

} // namespace sparsight
