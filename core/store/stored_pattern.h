// Where a pattern lies: compactly in the workspace, or, where that would be over the limit, in the file that
// it was read from, by path and content hash.
#pragma once

#include "base/error.h"
#include "matrix/pattern.h"
#include "store/matrices.h"

#include <cstdint>
#include <filesystem>

namespace sparsight {

/// For a matrix without a pattern yet. `file` may be empty. Error: over the limit (bytes, compressed) and no
/// file.
[[nodiscard]] Result<void> store_pattern(Workspace& workspace, MatrixId matrix, const CsrPattern& pattern,
                                         const std::filesystem::path& file, std::uint64_t stored_limit);

/// Errors: the pattern is unknown; its file is gone or holds another matrix now; the stored bytes are
/// damaged.
[[nodiscard]] Result<CsrPattern> load_pattern(Workspace& workspace, MatrixId matrix);

} // namespace sparsight
