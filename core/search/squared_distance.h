// The distance that the graph of schedules is built by.
#pragma once

#include "model/vector_set.h"

#include <cstddef>

namespace sparsight {

/// Σ (a[i] − b[i])² for i < count. `set` must be one that this processor supports.
using SquaredDistance = float (*)(const float* a, const float* b, std::size_t count);
[[nodiscard]] SquaredDistance squared_distance_kernel(VectorSet set);

} // namespace sparsight
