// Reading the JSON of models field by field.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

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

} // namespace sparsight
