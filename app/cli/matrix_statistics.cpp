#include "cli/matrix_statistics.h"

#include "base/parallel.h"
#include "store/stored_pattern.h"
#include "store/stored_statistics.h"

#include <fmt/format.h>

namespace sparsight {

Json statistics_json(const PatternStatistics& statistics) {
    return Json::parse(statistics_text(statistics));
}

Result<Json> StatisticsKeeper::statistics(const MatrixRecord& matrix) {
    if (const auto kept = parse_statistics(matrix.statistics))
        return statistics_json(*kept);
    const auto pattern = load_pattern(workspace_, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    const PatternStatistics computed = compute_statistics(*pattern, available_threads());
    computed_.push_back({matrix.id, statistics_text(computed)});
    return statistics_json(computed);
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
