// How much memory the dense operands of a workload may take.
#pragma once

#include <cstdint>

namespace sparsight {

/// Half of the memory, in bytes: packed matrices and the pattern need the rest.
[[nodiscard]] std::uint64_t operand_limit();

} // namespace sparsight
