#include "learn/settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

namespace {

bool is_of_kind(const Json& value, const Json& fallback) {
    if (fallback.is_number_float())
        return value.is_number();
    if (fallback.is_number())
        return value.is_number_integer();
    if (fallback.is_array())
        return value.is_array() &&
               std::ranges::all_of(value, [](const Json& each) { return each.is_string(); });
    return value.type() == fallback.type();
}

std::string_view kind_of(const Json& fallback) {
    if (fallback.is_number_float())
        return "a number";
    if (fallback.is_number())
        return "a whole number";
    if (fallback.is_array())
        return "a list of texts";
    return fallback.is_boolean() ? "true or false" : "a text";
}

std::string written(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::unexpected<Error> at(const SettingOrigin& origin, std::string message) {
    return fail_in_file(Fault::Input, origin.file, origin.line, std::move(message));
}

} // namespace

RunSettings::RunSettings(std::span<const SettingDefinition> definitions) {
    for (const SettingDefinition& definition : definitions)
        values_[definition.name] = definition.fallback;
}

Result<void> RunSettings::set(const std::string& name, Json value, const SettingOrigin& origin) {
    const auto found = values_.find(name);
    if (found == values_.end()) {
        std::vector<std::string> names;
        for (const auto& [known, ignored] : values_.items())
            names.push_back(known);
        return at(origin,
                  fmt::format("there is no setting '{}'; there are {}", name, fmt::join(names, ", ")));
    }
    if (!is_of_kind(value, *found))
        return at(origin, fmt::format("{} is {}; expected {}", name, written(value), kind_of(*found)));
    if (found->is_number_float())
        value = value.get<double>();
    *found = std::move(value);
    origins_[name] = origin;
    return {};
}

std::unexpected<Error> RunSettings::wrong(const std::string& name, std::string_view expected) const {
    return in_place(name, {Fault::Input,
                           fmt::format("{} is {}; expected {}", name, written(values_.at(name)), expected),
                           {},
                           0});
}

std::unexpected<Error> RunSettings::in_place(const std::string& name, const Error& error) const {
    const auto origin = origins_.find(name);
    if (origin == origins_.end() || origin->second.file.empty())
        return std::unexpected(error);
    return std::unexpected(Error{error.fault, error.message, origin->second.file, origin->second.line});
}

} // namespace sparsight
