// Which domain and which setting a user works with: what they said, else what the workspace knows.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/workspace.h"
#include "study/domain.h"
#include "study/workload.h"

#include <string>
#include <string_view>

namespace sparsight {

/// What a user said of what is to be computed.
struct SettingChoice {
    std::string domain;       ///< empty: the one that the workspace keeps
    std::string text;         ///< Setting::text; empty: by the options
    SettingOptions options{}; ///< by SettingOption::name
};

struct ChosenSetting {
    const Domain* domain = nullptr; ///< of the registry
    Setting setting;
};

/// `name`, where it is empty the domain that the workspace keeps, where it keeps none the first of the
/// registry. Errors (Input): this program has no such domain.
[[nodiscard]] Result<const Domain*> choose_domain(Workspace& workspace, const DomainRegistry& domains,
                                                  std::string_view name);
/// That an option, as the user writes it, is for another domain than this one (Fault::Input).
[[nodiscard]] std::unexpected<Error> foreign_option(std::string_view option, std::string_view domain);
/// foreign_option() for the first of these that no setting of the domain has.
[[nodiscard]] Result<void> check_options(const Domain& domain, const SettingOptions& options);

/// The workspace opens with this domain from now on.
[[nodiscard]] Result<void> keep_domain(Workspace& workspace, const Domain& domain);

/// Where an option without a default is not given: the only setting of the domain that the workspace has
/// measurements of. Errors (Input): those of choose_domain(), check_options() and of the domain; a text
/// beside options; no such setting, or several, which are named.
[[nodiscard]] Result<ChosenSetting> choose_setting(Workspace& workspace, const DomainRegistry& domains,
                                                   const SettingChoice& choice);
/// The same in a domain that is known by now.
[[nodiscard]] Result<Setting> choose_setting_of(Workspace& workspace, const Domain& domain,
                                                const SettingChoice& choice);

/// A part of a setting; null and empty where the setting has no such part.
[[nodiscard]] Json member_json(const SettingMember& member);
[[nodiscard]] std::string member_text(const SettingMember& member);

} // namespace sparsight
