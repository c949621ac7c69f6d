// Sparse tensors of order 3 and 4 as a domain: all of it that needs neither LLVM nor LibTorch.
#pragma once

#include "domains/sparse/schedule/operator.h" // tensors_domain
#include "study/domain.h"

#include <memory>

namespace sparsight {

/// Workloads are tensors. A setting is an operator, the mode that its output has, and the extent of its dense
/// index (domains/sparse/schedule/operator.h). Configurations are SuperSchedules, and the baseline is fixed
/// CSF: the modes in their order, the first one uncompressed. space() needs the facts "size_1", "size_2" …
[[nodiscard]] std::unique_ptr<const Domain> make_tensor_domain();

} // namespace sparsight
