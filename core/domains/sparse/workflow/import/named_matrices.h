// A matrix as a user names it: a file, or a matrix of the workspace.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sparsight {

struct NamedMatrix {
    std::string name;
    std::string source;
    CsrPattern pattern;
};

/// An error names the matrices that there are, as far as they are few.
[[nodiscard]] Result<MatrixRecord> matrix_named(Workspace& workspace, const std::string& name);

struct WorkspaceMatrix {
    Workspace workspace; ///< open for reading
    MatrixRecord record;
};

/// What a text that names no file means: a matrix whose entries are known.
[[nodiscard]] Result<WorkspaceMatrix> find_in_workspace(const WorkspaceLocation& location,
                                                        const std::string& text);

[[nodiscard]] Result<NamedMatrix> load_named_matrix(const WorkspaceLocation& location,
                                                    const std::string& text);

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
