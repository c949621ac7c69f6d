#include "evaluation/evaluation_parameters.h"

#include <fmt/format.h>
#include <functional>
#include <map>

namespace sparsight {

nlohmann::json parameters_of(const RunRecord& run) {
    const nlohmann::json parameters =
        nlohmann::json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
    return parameters.is_object() ? parameters : nlohmann::json::object();
}

std::string text_in(const nlohmann::json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> number_in(const nlohmann::json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                               : std::nullopt;
}

std::optional<Setting> setting_in(const nlohmann::json& parameters, const Domain& domain) {
    std::map<std::string, std::string, std::less<>> options;
    for (const SettingOption& option : domain.setting_options()) {
        if (const auto number = number_in(parameters, option.name.c_str()))
            options.emplace(option.name, fmt::to_string(*number));
        else if (const std::string text = text_in(parameters, option.name.c_str()); !text.empty())
            options.emplace(option.name, text);
    }
    if (options.empty() && !domain.setting_options().empty())
        return std::nullopt;
    auto setting = domain.setting_of(options);
    return setting ? std::optional(*std::move(setting)) : std::nullopt;
}

bool is_of(const nlohmann::json& parameters, const Domain& domain) {
    const std::string named = text_in(parameters, "domain");
    if (!named.empty())
        return named == domain.name();
    return !domain.setting_options().empty() && setting_in(parameters, domain);
}

} // namespace sparsight
