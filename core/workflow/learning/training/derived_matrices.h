// Siblings (learning/tasks/splits.h) among all matrices of a workspace, also those that nothing is learned
// from.
#pragma once

#include "base/error.h"
#include "domains/sparse/storage/matrices.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace sparsight {

class Workspace;

/// Refers to the workspace. Statistics are read only of matrices that have one size and number of non-zeros.
class DerivedMatrices {
public:
    [[nodiscard]] static Result<DerivedMatrices> read(Workspace& workspace, int threads);

    /// These names, whether the workspace has them or not, and all its siblings of them. A pattern that can't
    /// be read is taken for a sibling where its size says that it may be one.
    [[nodiscard]] std::set<std::string> with_derived_matrices(const std::set<std::string>& names) const;
    [[nodiscard]] std::set<WorkloadId> ids_with_derived_matrices(const std::string& name) const;

private:
    using Size = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

    DerivedMatrices(Workspace& workspace, int threads)
        : workspace_(&workspace)
        , threads_(threads) {}
    [[nodiscard]] bool have_one_shape(const MatrixRecord& one, const MatrixRecord& other) const;

    Workspace* workspace_;
    int threads_;
    std::map<std::string, MatrixRecord> by_name_;
    std::map<std::string, std::vector<std::string>> by_stem_;
    std::map<Size, std::vector<std::string>> by_size_; ///< of known patterns
};

} // namespace sparsight
