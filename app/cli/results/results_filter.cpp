#include "cli/results/results_filter.h"

#include "command/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace sparsight {

namespace {

/// Why no domain that has this part of a setting takes the value; empty where one does.
std::string value_error(const DomainRegistry& domains, const std::string& part, const std::string& value) {
    std::string error;
    for (const Domain* const domain : domains.all()) {
        if (std::ranges::find(domain->setting_options(), part, &SettingOption::name) ==
            domain->setting_options().end())
            continue;
        const auto setting = domain->setting_of({{part, value}});
        if (setting)
            return {};
        error = setting.error().message;
    }
    return error;
}

} // namespace

void add_filter_options(CLI::App& command, const DomainRegistry& domains, ResultsOptions& options) {
    std::map<std::string, std::string> parts; // of any domain's settings, with their help
    for (const Domain* const domain : domains.all())
        for (const SettingOption& option : domain->setting_options())
            parts.try_emplace(option.name, option.help);
    add_domain_option(command, domains, options.domain);
    command.add_option("--workload,--matrix", options.filter.workload, "only this workload")
        ->type_name("NAME");
    command
        .add_option("--machine", options.filter.machine,
                    "only this machine: its name, a unique beginning of it,\nor its fingerprint")
        ->type_name("NAME");
    for (const auto& [part, help] : parts)
        command.add_option("--" + part, options.filter.members[part], "show only this: " + help)
            ->type_name("VALUE")
            ->check([&domains, part = part](const std::string& value) {
                return value_error(domains, part, value);
            });
    command
        .add_option("--protocol", options.filter.protocol,
                    "only this protocol: adaptive, waco, simulated or recorded")
        ->type_name("PROTOCOL");
}

Result<ChosenResults> chosen_results(Workspace& workspace, const DomainRegistry& domains,
                                     const ResultsOptions& options) {
    const auto domain = choose_domain(workspace, domains, options.domain);
    if (!domain)
        return std::unexpected(domain.error());
    ResultsFilter filter = options.filter;
    std::erase_if(filter.members, [](const auto& member) { return member.second.empty(); });
    if (!filter.members.empty()) {
        if (auto checked = check_options(**domain, filter.members); !checked)
            return std::unexpected(std::move(checked).error());
        // The domain says what it makes of them: "SPMM" is spmm, and SpMV has no other extent than 1.
        const auto setting = (*domain)->setting_of(filter.members);
        if (!setting)
            return std::unexpected(setting.error());
        for (const SettingMember& member : (*domain)->members(*setting))
            if (const auto wanted = filter.members.find(member.key); wanted != filter.members.end())
                wanted->second = member_text(member);
    }
    return ChosenResults{*domain, std::move(filter)};
}

Result<SelectedResults> select_results(Workspace& workspace, const DomainRegistry& domains,
                                       const ResultsOptions& options) {
    const auto chosen = chosen_results(workspace, domains, options);
    if (!chosen)
        return std::unexpected(chosen.error());
    auto results = find_results(workspace, *chosen->domain, chosen->filter);
    if (!results)
        return std::unexpected(std::move(results).error());
    return SelectedResults{chosen->domain, *std::move(results)};
}

} // namespace sparsight
