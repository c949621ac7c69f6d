#include "command/setting_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace sparsight {

namespace {

/// The domains that have this option say what is wrong with a value at once, not when the work begins.
void check_value(const std::vector<const Domain*>& domains, const SettingOption& option,
                 const std::string& value) {
    for (const Domain* const domain : domains)
        if (const auto setting = domain->setting_of({{option.name, value}}); !setting)
            throw CLI::ValidationError("--" + option.name, setting.error().message);
}

} // namespace

void add_domain_option(CLI::App& command, const DomainRegistry& domains, std::string& name) {
    std::vector<std::string_view> names;
    for (const Domain* const domain : domains.all())
        names.push_back(domain->name());
    command
        .add_option("--domain", name,
                    fmt::format("{} (default: that of the workspace)", fmt::join(names, " or ")))
        ->type_name("NAME")
        ->check([&domains](const std::string& word) {
            const auto found = domains.require(word);
            return found ? std::string() : found.error().message;
        });
}

void add_setting_options(CLI::App& command, const DomainRegistry& domains, SettingChoice& choice,
                         SettingParts parts) {
    std::map<std::string, std::vector<const Domain*>, std::less<>> owners;
    std::vector<SettingOption> options;
    for (const Domain* const domain : domains.all()) {
        for (const SettingOption& option : domain->setting_options()) {
            if (parts == SettingParts::OpenToModels && option.is_of_model)
                continue;
            if (!owners.contains(option.name))
                options.push_back(option);
            owners[option.name].push_back(domain);
        }
    }
    for (const SettingOption& option : options) {
        command
            .add_option(
                "--" + option.name,
                [&choice, option, owning = owners[option.name]](const CLI::results_t& words) {
                    check_value(owning, option, words.front());
                    choice.options[option.name] = words.front();
                    return true;
                },
                option.help)
            ->type_name(option.placeholder);
    }
    add_domain_option(command, domains, choice.domain);
    command
        .add_option("--setting", choice.text,
                    "what is computed, as results show it, in the place of\nthe options for its parts")
        ->type_name("TEXT");
}

} // namespace sparsight
