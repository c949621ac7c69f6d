// Numbers in the fields of tables.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace sparsight {

/// The whole text as a finite number; absent where it is none.
[[nodiscard]] inline std::optional<double> number_of(std::string_view text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end && std::isfinite(number) ? std::optional(number)
                                                                        : std::nullopt;
}

[[nodiscard]] inline std::optional<double> positive_number(std::string_view text) {
    const auto number = number_of(text);
    return number && *number > 0 ? number : std::nullopt;
}

} // namespace sparsight
