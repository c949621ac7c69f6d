// The names of an enumeration's values, as files, command lines and JSON have them: one table, read both
// ways; and names that a user may have meant.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// How many letters must be changed, added or left out to make one word of the other (Levenshtein 1966).
[[nodiscard]] inline std::size_t edit_distance(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= one.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const std::size_t change = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row.back();
}

/// A name as it stands in a list with commas: in quotes where it has one itself.
[[nodiscard]] inline std::string name_in_list(std::string_view name) {
    return name.find(',') == std::string_view::npos ? std::string(name) : '"' + std::string(name) + '"';
}

/// "a, b, c"
template <typename Texts>
[[nodiscard]] std::string list_names(const Texts& names) {
    std::string text;
    for (const auto& name : names)
        text += (text.empty() ? "" : ", ") + name_in_list(name);
    return text;
}

/// "a, b, c", each once in the order given; of many those nearest to the wrong one, "b, e, a and 9 more".
[[nodiscard]] inline std::string list_known(std::vector<std::string> known, std::string_view wrong) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (std::string& name : known)
        if (std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    if (names.size() > most)
        std::ranges::stable_sort(names, {},
                                 [&](const std::string& name) { return edit_distance(name, wrong); });
    std::string text = list_names(std::span(names).first(std::min(most, names.size())));
    if (names.size() > most)
        text += " and " + std::to_string(names.size() - most) + " more";
    return text;
}

} // namespace sparsight
