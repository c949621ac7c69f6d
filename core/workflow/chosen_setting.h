// Chooses the domain and the setting that a user works with: what the user named, or otherwise what the
// workspace stores.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/workspace.h"
#include "study/domain.h"
#include "study/workload.h"

#include <string>
#include <string_view>

namespace sparsight {

/// What the user said about the setting.
struct SettingChoice {
    std::string domain;       ///< empty: the domain that the workspace stores
    std::string text;         ///< Setting::text; empty: the options determine it
    SettingOptions options{}; ///< values by SettingOption::name
};

struct ChosenSetting {
    const Domain* domain = nullptr; ///< points into the registry
    Setting setting;
};

/// The domain `name`; if empty, the domain that the workspace stores; without one, the first domain of the
/// registry. Errors (Input): this program has no such domain.
[[nodiscard]] Result<const Domain*> choose_domain(Workspace& workspace, const DomainRegistry& domains,
                                                  std::string_view name);
/// An error: the option, as the user writes it, belongs to another domain (Fault::Input).
[[nodiscard]] std::unexpected<Error> foreign_option(std::string_view option, std::string_view domain);
/// Returns foreign_option() for the first option that no setting of the domain has.
[[nodiscard]] Result<void> check_options(const Domain& domain, const SettingOptions& options);

/// Stores the domain, so that the workspace opens with it from now on.
[[nodiscard]] Result<void> keep_domain(Workspace& workspace, const Domain& domain);

/// The chosen setting. If an option without a default is missing, it is the only setting of the domain with
/// measurements in the workspace. Errors (Input): those of choose_domain(), check_options() and of the
/// domain; both a text and options; no such setting, or several, which are listed.
[[nodiscard]] Result<ChosenSetting> choose_setting(Workspace& workspace, const DomainRegistry& domains,
                                                   const SettingChoice& choice);
/// The same for a known domain.
[[nodiscard]] Result<Setting> choose_setting_of(Workspace& workspace, const Domain& domain,
                                                const SettingChoice& choice);

/// A part of a setting as JSON; null where the setting has no such part.
[[nodiscard]] Json member_json(const SettingMember& member);
[[nodiscard]] std::string member_text(const SettingMember& member);

} // namespace sparsight
