// The slow, obvious meaning of a loop nest: the oracle that the C printer and the LLVM printer are tested
// against.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"

namespace sparsight {

/// Runs the nest statement by statement on one thread. Every access is checked: it returns an error
/// (Fault::Internal) that names the operand and the offset when one would fall outside its array.
[[nodiscard]] Result<void> interpret(const LoopNest& nest, const KernelOperands& operands);

} // namespace sparsight
