#include "domains/sparse/workflow/import/matrix_statistics.h"

#include "base/parallel.h"
#include "domains/sparse/storage/pattern_storage.h"

#include <nlohmann/json.hpp>

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

Result<void> StatisticsKeeper::keep(const WorkspaceLocation& location) const {
    if (computed_.empty())
        return {};
    auto workspace = location.open(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return {};
    return in_one_transaction(*workspace, [&]() -> Result<void> {
        for (const Computed& computed : computed_)
            if (auto kept = set_statistics(*workspace, computed.matrix, computed.json); !kept)
                return kept;
        return {};
    });
}

} // namespace sparsight
