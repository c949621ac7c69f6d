// The names of an enumeration's values, as files, command lines and JSON have them: one table, read both
// ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace sparsight {

template <typename Enum, std::size_t Count>
using Names = std::array<std::pair<Enum, std::string_view>, Count>;

/// Empty for a value without a name.
template <typename Enum, std::size_t Count>
[[nodiscard]] constexpr std::string_view name_in(const Names<Enum, Count>& names, Enum value) {
    const auto found = std::ranges::find(names, value, &std::pair<Enum, std::string_view>::first);
    return found == names.end() ? std::string_view() : found->second;
}

template <typename Enum, std::size_t Count>
[[nodiscard]] constexpr std::optional<Enum> value_in(const Names<Enum, Count>& names, std::string_view text) {
    const auto found = std::ranges::find(names, text, &std::pair<Enum, std::string_view>::second);
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

} // namespace sparsight
