#include "workflow/learning/settings.h"

#include <algorithm>
#include <charconv>
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

std::string_view kind_of(const Json& fallback, bool with_counts) {
    if (fallback.is_number_float())
        return "a number";
    if (fallback.is_number())
        return "a whole number";
    if (fallback.is_array())
        return with_counts ? "a whole number, a text, or a list of them" : "a list of texts";
    return fallback.is_boolean() ? "true or false" : "a text";
}

/// A file says `machines = "laptop"`, and `workloads = 3` where words are counts as well; what is neither
/// stays as it is.
Json as_words(Json value, bool with_counts) {
    const auto is_count = [&](const Json& each) { return with_counts && each.is_number_integer(); };
    if (value.is_string() || is_count(value))
        value = Json::array({std::move(value)});
    if (value.is_array())
        for (Json& each : value)
            if (is_count(each))
                each = each.dump();
    return value;
}

std::string written(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::unexpected<Error> at(const SettingOrigin& origin, std::string message) {
    return fail_in_file(Fault::Input, origin.file, origin.line, std::move(message));
}

} // namespace

namespace {

/// As the values of settings are kept: numbers as numbers.
Json default_of(const SettingOption& option) {
    std::int64_t number = 0;
    const std::string& text = option.default_value;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && stop == text.data() + text.size() ? Json(number) : Json(text);
}

} // namespace

std::vector<SettingDefinition> setting_definitions(const DomainRegistry& domains, bool of_models) {
    std::vector<SettingDefinition> definitions;
    for (const auto& [option, owners] : setting_options_of(domains)) {
        if (option.is_of_model && !of_models)
            continue;
        SettingDefinition& definition = definitions.emplace_back(
            SettingDefinition{option.name, default_of(option), option.placeholder, option.help});
        for (const Domain* const domain : owners)
            definition.domains.emplace_back(domain->name());
    }
    return definitions;
}

RunSettings::RunSettings(std::span<const SettingDefinition> definitions) {
    for (const SettingDefinition& definition : definitions) {
        values_[definition.name] = definition.fallback;
        if (!definition.general.empty())
            by_general_[definition.general] = definition.name;
        if (definition.with_counts)
            with_counts_.insert(definition.name);
        if (!definition.domains.empty())
            domains_[definition.name] = definition.domains;
    }
}

Result<void> RunSettings::set(const std::string& word, Json value, const SettingOrigin& origin) {
    const auto general = by_general_.find(word);
    const std::string& name = general == by_general_.end() ? word : general->second;
    const auto found = values_.find(name);
    if (found == values_.end()) {
        std::vector<std::string> names;
        for (const auto& [known, ignored] : values_.items())
            names.push_back(known);
        return at(origin,
                  fmt::format("there is no setting '{}'; there are {}", name, fmt::join(names, ", ")));
    }
    if (found->is_array())
        value = as_words(std::move(value), with_counts_.contains(name));
    if (!is_of_kind(value, *found))
        return at(origin, fmt::format("{} is {}; expected {}", word, written(value),
                                      kind_of(*found, with_counts_.contains(name))));
    if (found->is_number_float())
        value = value.get<double>();
    *found = std::move(value);
    origins_[name] = origin;
    words_[name] = word;
    return {};
}

void RunSettings::take_defaults(const Json& values) {
    for (const auto& [name, value] : values.items())
        if (values_.contains(name) && !origins_.contains(name))
            values_[name] = value;
}

bool RunSettings::is_given(const std::string& name) const {
    const auto origin = origins_.find(name);
    return origin != origins_.end() && !origin->second.by_preset;
}

std::optional<std::string> RunSettings::without_effect(std::span<const std::string_view> names,
                                                       std::string_view why) const {
    std::vector<std::string> given;
    for (const std::string_view name : names) {
        if (!is_given(std::string(name)))
            continue;
        const auto origin = origins_.find(std::string(name));
        std::string word = words_.at(origin->first);
        if (origin->second.file.empty()) {
            std::ranges::replace(word, '_', '-');
            word.insert(0, "--");
        }
        given.push_back(std::move(word));
    }
    if (given.empty())
        return std::nullopt;
    return fmt::format("{} {} no effect: {}", fmt::join(given, ", "), given.size() == 1 ? "has" : "have",
                       why);
}

Result<void> RunSettings::keep_domain(const Domain& domain) {
    for (const SettingOption& option : domain.setting_options())
        if (const auto shared = domains_.find(option.name); shared != domains_.end() &&
                                                            shared->second.front() != domain.name() &&
                                                            !origins_.contains(option.name))
            values_[option.name] = default_of(option);
    for (const auto& [name, owners] : domains_) {
        if (std::ranges::find(owners, domain.name()) != owners.end())
            continue;
        if (const auto origin = origins_.find(name); origin != origins_.end())
            return at(origin->second,
                      foreign_option(origin->second.file.empty() ? "--" + name : name, domain.name())
                          .error()
                          .message);
        values_.erase(name);
    }
    return {};
}

std::map<std::string, std::string> RunSettings::texts() const {
    std::map<std::string, std::string> texts;
    for (const auto& [name, value] : values_.items()) {
        std::string text = value.is_string() ? value.get<std::string>()
                           : value.is_array()
                               ? fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ","))
                               : value.dump();
        if (!text.empty())
            texts.emplace(name, std::move(text));
    }
    return texts;
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

SettingOptions RunSettings::parts_of(const Domain& domain) const {
    SettingOptions parts;
    for (const SettingOption& option : domain.setting_options())
        if (const auto found = values_.find(option.name); found != values_.end() && *found != Json(""))
            parts[option.name] = found->is_string() ? found->get<std::string>() : found->dump();
    return parts;
}

Result<ChosenSetting> read_setting(Workspace& workspace, const DomainRegistry& domains,
                                   const std::string& domain, RunSettings& settings) {
    const auto chosen = choose_domain(workspace, domains, domain);
    if (!chosen)
        return std::unexpected(chosen.error());
    if (auto kept = settings.keep_domain(**chosen); !kept)
        return std::unexpected(std::move(kept).error());
    const SettingOptions parts = settings.parts_of(**chosen);
    for (const auto& [name, value] : parts) // one by one first, so that the error has the place of its own
        if (const auto alone = (*chosen)->setting_of({{name, value}}); !alone)
            return settings.in_place(name, alone.error());
    return choose_setting(workspace, domains, {std::string((*chosen)->name()), {}, parts});
}

} // namespace sparsight
