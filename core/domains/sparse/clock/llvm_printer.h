// The loop nest as LLVM IR, already vectorised: register tiles become vector accumulators, loops along
// contiguous operands become vector instructions, a parallel loop becomes a function that the thread team
// calls with chunks.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace sparsight {

/// Adds `void <function>(KernelContext*)` to the module, which must have the target's data layout.
void print_llvm(const LoopNest& nest, const KernelTarget& target, llvm::Module& module,
                const std::string& function);

} // namespace sparsight
