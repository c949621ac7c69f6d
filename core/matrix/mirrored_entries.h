#pragma once

#include "matrix/pattern.h"

namespace sparsight {

/// How many entries (i, j), i ≠ j, have their mirror image (j, i) in the pattern. Linear in rows + nnz for
/// each thread.
[[nodiscard]] std::int64_t count_mirrored(const CsrPattern& pattern, int threads);

} // namespace sparsight
