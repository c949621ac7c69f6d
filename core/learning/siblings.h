// Matrices that are one and the same in another dress. One of them in training and another in the test would
// let a model be praised for what it has seen.
#pragma once

#include "learning/task.h"
#include "matrix/name_stem.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

/// For each matrix its family, as the place of the first member. Siblings have one name stem, or the same
/// non-zeros and, up to transposition, the same statistics of row and column lengths: that holds for equal,
/// transposed and permuted patterns, and hardly ever for others. Siblings of siblings are siblings.
[[nodiscard]] std::vector<std::size_t> sibling_families(std::span<const TaskMatrix> matrices);

} // namespace sparsight
