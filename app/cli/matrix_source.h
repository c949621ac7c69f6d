// A matrix that a user names on the command line: a file, or a matrix of the workspace.
#pragma once

#include "base/error.h"
#include "matrix/pattern.h"
#include "store/matrices.h"
#include "store/workspace.h"

#include <string>

namespace sparsight {

class Session;

struct NamedMatrix {
    std::string name;
    std::string source;
    CsrPattern pattern;
};

/// Whether there is a file of this name, or what can't be read as one (a pipe, a device); otherwise a matrix
/// of the workspace is meant.
[[nodiscard]] bool names_file(const std::string& text);

/// An error names the matrices that there are, as far as they are few.
[[nodiscard]] Result<MatrixRecord> matrix_named(Workspace& workspace, const std::string& name);

struct WorkspaceMatrix {
    Workspace workspace; ///< open for reading
    MatrixRecord record;
};

/// What a text that names no file means: a matrix whose entries are known.
[[nodiscard]] Result<WorkspaceMatrix> find_in_workspace(const Session& session, const std::string& text);

[[nodiscard]] Result<NamedMatrix> load_named_matrix(const Session& session, const std::string& text);

} // namespace sparsight
