// Reading the JSON of models field by field.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// In the order in which they are written.
using OrderedJson = nlohmann::ordered_json;

/// Thrown by the functions below, and caught by whoever calls them, with the field that is wrong.
struct JsonDefect {
    std::string text;
};

template <typename T>
T json_field(const OrderedJson& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end())
        throw JsonDefect{fmt::format("{} is missing", key)};
    try {
        return found->get<T>();
    } catch (const nlohmann::json::exception&) {
        throw JsonDefect{fmt::format("{} is not what was expected", key)};
    }
}

/// A name that parse(text) knows; what it returns is optional.
template <typename Parse>
auto json_name(const OrderedJson& json, const char* key, Parse parse) {
    const auto text = json_field<std::string>(json, key);
    const auto value = parse(text);
    if (!value)
        throw JsonDefect{fmt::format("{} is {:?}, which is not known here", key, text.substr(0, 40))};
    return *value;
}

/// A whole number from 1 to `most`.
inline int json_count(const OrderedJson& json, const char* key, int most) {
    const auto number = json_field<double>(json, key);
    if (!(number >= 1 && number <= most && number == std::floor(number)))
        throw JsonDefect{fmt::format("{} is {}, expected a whole number from 1 to {}", key, number, most)};
    return static_cast<int>(number);
}

/// One or more names, none of them twice.
inline std::vector<std::string> json_names(const OrderedJson& json, const char* key) {
    auto names = json_field<std::vector<std::string>>(json, key);
    if (names.empty())
        throw JsonDefect{fmt::format("{} is empty, expected one or more names", key)};
    std::set<std::string_view> seen;
    for (const std::string& each : names)
        if (!seen.insert(each).second)
            throw JsonDefect{fmt::format("{} has {:?} twice", key, each.substr(0, 40))};
    return names;
}

} // namespace sparsight
