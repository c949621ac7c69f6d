#include "workflow/chosen_setting.h"

#include "store/measurements.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

namespace sparsight {

namespace {

constexpr const char* kept_domain = "domain";

/// The settings of a domain that the workspace has measurements of, those with the most first.
Result<std::vector<std::string>> measured_settings(Workspace& workspace, const Domain& domain) {
    const auto counted = count_settings(workspace);
    if (!counted)
        return std::unexpected(counted.error());
    std::vector<std::string> texts;
    for (const CountedSettings& each : *counted)
        if (each.setting.domain == domain.name())
            texts.push_back(each.setting.text);
    return texts;
}

Result<Setting> only_setting(Workspace& workspace, const Domain& domain, std::string_view missing) {
    const auto texts = measured_settings(workspace, domain);
    if (!texts)
        return std::unexpected(texts.error());
    if (texts->empty())
        return fail(Fault::Input, fmt::format("--{} is required: the workspace has no measurements of {} "
                                              "that would tell it",
                                              missing, domain.name()));
    if (texts->size() > 1)
        return fail(Fault::Input, fmt::format("--{} is required: the workspace has measurements of {}",
                                              missing, fmt::join(*texts, ", ")));
    return domain.parse_setting(texts->front());
}

} // namespace

Result<const Domain*> choose_domain(Workspace& workspace, const DomainRegistry& domains,
                                    std::string_view name) {
    if (!name.empty())
        return domains.require(name);
    const auto kept = setting(workspace, kept_domain);
    if (!kept)
        return std::unexpected(kept.error());
    if (*kept)
        return domains.require(**kept);
    const auto all = domains.all();
    return all.empty() ? domains.require("") : Result<const Domain*>(all.front());
}

std::unexpected<Error> foreign_option(std::string_view option, std::string_view domain) {
    return fail(Fault::Input, fmt::format("the domain {} has no option {}", domain, option));
}

Result<void> check_options(const Domain& domain, const SettingOptions& options) {
    const auto known = domain.setting_options();
    for (const auto& [option, value] : options)
        if (std::ranges::find(known, option, &SettingOption::name) == known.end())
            return foreign_option("--" + option, domain.name());
    return {};
}

Result<void> keep_domain(Workspace& workspace, const Domain& domain) {
    return set_setting(workspace, kept_domain, domain.name());
}

Result<Setting> choose_setting_of(Workspace& workspace, const Domain& domain, const SettingChoice& choice) {
    if (auto checked = check_options(domain, choice.options); !checked)
        return std::unexpected(std::move(checked).error());
    if (!choice.text.empty()) {
        if (!choice.options.empty())
            return fail(Fault::Input, fmt::format("--{} and --setting say the same: expected one of them",
                                                  choice.options.begin()->first));
        return domain.parse_setting(choice.text);
    }
    const auto options = domain.setting_options();
    const auto missing = std::ranges::find_if(options, [&](const SettingOption& option) {
        return option.default_value.empty() && !choice.options.contains(option.name);
    });
    if (missing != options.end() && choice.options.empty())
        return only_setting(workspace, domain, missing->name);
    return domain.setting_of(choice.options);
}

Result<ChosenSetting> choose_setting(Workspace& workspace, const DomainRegistry& domains,
                                     const SettingChoice& choice) {
    const auto domain = choose_domain(workspace, domains, choice.domain);
    if (!domain)
        return std::unexpected(domain.error());
    auto setting = choose_setting_of(workspace, **domain, choice);
    if (!setting)
        return std::unexpected(std::move(setting).error());
    return ChosenSetting{*domain, *std::move(setting)};
}

Json member_json(const SettingMember& member) {
    if (const auto* const number = std::get_if<std::int64_t>(&member.value))
        return *number;
    const auto* const text = std::get_if<std::string>(&member.value);
    return text != nullptr ? Json(*text) : Json();
}

std::string member_text(const SettingMember& member) {
    if (const auto* const number = std::get_if<std::int64_t>(&member.value))
        return fmt::to_string(*number);
    const auto* const text = std::get_if<std::string>(&member.value);
    return text != nullptr ? *text : std::string();
}

} // namespace sparsight
