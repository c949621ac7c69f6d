// How the blocks that loops begin with are named in the LLVM IR, so that the loops of a schedule are found
// again in the machine code that becomes of them.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class Module;
class TargetMachine;
class TargetOptions;
} // namespace llvm

namespace sparsight {

/// Of the loop over a variable ("k1"): "loop.k1.7".
[[nodiscard]] std::string block_of_loop(std::string_view variable, int number);
/// The variable again; empty for a block of another name.
[[nodiscard]] std::string loop_of_block(std::string_view block);

/// What one iteration of a loop computes, outside of the loops inside it.
struct LoopArithmetic {
    int multiply_adds = 0; ///< floats that are multiplied and added
    int lanes = 1;         ///< the most of them by one instruction
};

/// By the names of the loops' blocks.
[[nodiscard]] std::map<std::string, LoopArithmetic> arithmetic_of_loops(llvm::Module& module);

// A loop nest as an LLVM module, printed for a processor, verified and optimised: what the just-in-time
// compiler loads and what the analyser of machine code looks at is the same.

struct KernelModule {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
};

/// As kernels are compiled: a product and a sum may be fused.
[[nodiscard]] llvm::TargetOptions kernel_options();

/// With one function `name` that the kernel is called by. In a context of its own.
[[nodiscard]] Result<KernelModule> kernel_module(const LoopNest& nest, const KernelTarget& target,
                                                 llvm::TargetMachine& machine, const std::string& name);

/// The module is used up.
[[nodiscard]] Result<std::string> assembly_of(llvm::Module& module, llvm::TargetMachine& machine);

} // namespace sparsight
