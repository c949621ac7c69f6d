// Statistics of matrices as JSON; those of matrices in the workspace are kept there, because computing them
// reads the whole pattern.
#pragma once

#include "base/observer.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/statistics.h"
#include "store/workspace_location.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sparsight {

/// An object: name → number, in the order of statistics().
[[nodiscard]] Json statistics_json(const PatternStatistics& statistics);

/// Of matrices whose pattern is known: those that are kept, and the rest computed and kept from then on,
/// where the workspace can be written.
class StatisticsKeeper {
public:
    /// The workspace may be open for reading only.
    explicit StatisticsKeeper(Workspace& workspace)
        : workspace_(workspace) {}

    [[nodiscard]] Result<Json> statistics(const MatrixRecord& matrix);
    /// Writes what was computed into the workspace, which is opened anew for it. One that can't be opened for
    /// writing is no error: nothing is lost but time.
    [[nodiscard]] Result<void> keep(const WorkspaceLocation& location) const;

private:
    struct Computed {
        WorkloadId matrix{};
        std::string json;
    };
    Workspace& workspace_;
    std::vector<Computed> computed_;
};

} // namespace sparsight
