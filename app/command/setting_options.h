// The options that say what is computed: the domain, and the parts of its setting.
#pragma once

#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>

namespace sparsight {

/// --domain. `name` must live as long as the application, as `domains` must.
void add_domain_option(CLI::App& command, const DomainRegistry& domains, std::string& name);

enum class SettingParts {
    All,
    OpenToModels, ///< without those that a model is made for one value of
};

/// --domain, --setting, and the options of every domain, such as --operator. As above
/// for `choice`.
void add_setting_options(CLI::App& command, const DomainRegistry& domains, SettingChoice& choice,
                         SettingParts parts = SettingParts::All);

} // namespace sparsight
