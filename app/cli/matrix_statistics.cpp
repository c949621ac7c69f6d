#include "cli/matrix_statistics.h"

#include "base/parallel.h"
#include "store/stored_pattern.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

/// Nothing when it was kept by a version of this program that knew other statistics.
std::optional<Json> parse_kept(const std::string& text) {
    Json json = Json::parse(text, nullptr, false);
    const auto known = statistics();
    if (!json.is_object() || json.size() != known.size())
        return std::nullopt;
    for (const Statistic& statistic : known)
        if (!json.contains(statistic.name) || !json[statistic.name].is_number())
            return std::nullopt;
    return json;
}

} // namespace

Json statistics_json(const PatternStatistics& statistics) {
    Json json = Json::object();
    for (const Statistic& statistic : sparsight::statistics()) {
        const double value = statistic.of(statistics);
        json[statistic.name] = statistic.is_integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
    }
    return json;
}

Result<Json> StatisticsKeeper::statistics(const MatrixRecord& matrix) {
    if (auto kept = parse_kept(matrix.statistics))
        return std::move(*kept);
    const auto pattern = load_pattern(workspace_, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    Json json = statistics_json(compute_statistics(*pattern, available_threads()));
    computed_.push_back({matrix.id, json.dump()});
    return json;
}

void StatisticsKeeper::keep(const Session& session) const {
    if (computed_.empty())
        return;
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return;
    const auto kept_all = in_one_transaction(*workspace, [&]() -> Result<void> {
        for (const Computed& computed : computed_)
            if (auto kept = set_statistics(*workspace, computed.matrix, computed.json); !kept)
                return kept;
        return {};
    });
    if (!kept_all)
        session.remark(fmt::format("the statistics could not be kept: {}", kept_all.error().text()));
}

} // namespace sparsight
