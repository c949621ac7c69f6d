#include "collection/measurement_in_flight.h"

#include "store/workspace.h"

#include <charconv>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr std::string_view setting_name = "measurement_in_flight"; ///< "attempts what"

} // namespace

Result<int> begin_attempt(Workspace& workspace, const MeasurementInFlight& measurement) {
    const auto noted = setting(workspace, setting_name);
    if (!noted)
        return std::unexpected(noted.error());
    const std::string what = fmt::format("{} {} {} on {}", name(measurement.op), measurement.dense,
                                         measurement.schedule, measurement.matrix);
    int before = 0;
    if (*noted) {
        const std::string_view text = **noted;
        const std::size_t blank = text.find(' ');
        if (blank != std::string_view::npos && text.substr(blank + 1) == what)
            std::from_chars(&text.front(), &text.front() + blank, before);
    }
    if (auto written = set_setting(workspace, setting_name, fmt::format("{} {}", before + 1, what)); !written)
        return std::unexpected(written.error());
    return before + 1;
}

Result<void> end_attempts(Workspace& workspace) {
    return set_setting(workspace, setting_name, "");
}

} // namespace sparsight
