#include "workflow/learning/experiments/settings_with_times.h"

#include "store/measurements.h"
#include "store/workspace.h"

#include <algorithm>
#include <utility>

namespace sparsight {

Result<std::vector<Setting>> settings_with_times(Workspace& workspace, const Domain& domain,
                                                 std::span<const std::string> texts) {
    std::vector<Setting> settings;
    for (const std::string& text : texts) {
        auto setting = domain.parse_setting(text);
        if (!setting)
            return std::unexpected(std::move(setting).error());
        settings.push_back(*std::move(setting));
    }
    if (!settings.empty())
        return settings;
    const auto counted = count_settings(workspace);
    if (!counted)
        return std::unexpected(counted.error());
    for (const CountedSettings& each : *counted)
        if (each.setting.domain == domain.name())
            settings.push_back(each.setting);
    std::ranges::sort(settings, {}, &Setting::text);
    return settings;
}

} // namespace sparsight
