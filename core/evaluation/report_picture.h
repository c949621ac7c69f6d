// The pattern of a matrix as reports show it.
#pragma once

#include "base/error.h"
#include "matrix/pattern.h"

#include <cstddef>
#include <vector>

namespace sparsight {

/// A PNG, the longer side 320 pixels at least; nothing for a pattern without rows or columns. Errors: those
/// of density_png().
[[nodiscard]] Result<std::vector<std::byte>> report_picture(const CsrPattern& pattern, int threads);

} // namespace sparsight
