#include "study/domain.h"

#include <algorithm>

namespace sparsight {

std::vector<OptionOfDomains> setting_options_of(const DomainRegistry& domains) {
    std::vector<OptionOfDomains> options;
    for (const Domain* const domain : domains.all())
        for (const SettingOption& option : domain->setting_options()) {
            const auto known = std::ranges::find_if(
                options, [&](const OptionOfDomains& each) { return each.option.name == option.name; });
            if (known == options.end()) {
                options.push_back({option, {domain}});
                continue;
            }
            known->domains.push_back(domain);
            known->option.help += fmt::format("\nof {}: {}", domain->words().workload.many, option.help);
        }
    return options;
}

} // namespace sparsight
