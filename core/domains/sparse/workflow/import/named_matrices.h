// A matrix as a user names it: a file, or a matrix of the workspace.
#pragma once

#include "base/error.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/pattern.h"
#include "store/workspace_location.h"

#include <string>

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

} // namespace sparsight
