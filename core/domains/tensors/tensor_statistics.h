// Numbers that describe the shape of a sparse tensor, for models and tables.
#pragma once

#include "domains/sparse/tensor/higher_order/sparse_tensor.h"
#include "study/domain.h"

#include <span>
#include <vector>

namespace sparsight {

/// Entries and density, and of each of four modes its size, its slices and its fibres. A tensor of order 3
/// has a fourth mode of size 1.
[[nodiscard]] std::span<const StatisticDescription> tensor_statistics();

/// One number for each of tensor_statistics(). Takes about as long as sorting the tensor once for each mode.
[[nodiscard]] std::vector<double> statistics_of(const SparseTensor& tensor);

} // namespace sparsight
