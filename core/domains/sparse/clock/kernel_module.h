// A loop nest as an LLVM module, printed for a processor, verified and optimised: the just-in-time compiler
// and the analyser of machine code use the same module. Blocks are named after the loops they begin, so that
// the loops of a schedule are found again in the machine code.
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

/// The block name of the loop over a variable ("k1"): "loop.k1.7".
[[nodiscard]] std::string block_of_loop(std::string_view variable, int number);
/// The variable in such a name; empty for a block of another name.
[[nodiscard]] std::string loop_of_block(std::string_view block);

/// What one iteration of a loop computes, outside of the loops inside it.
struct LoopArithmetic {
    int multiply_adds = 0; ///< multiply-adds of floats
    int lanes = 1;         ///< the most multiply-adds that one instruction does
};

/// The arithmetic of each loop, by the name of its block.
[[nodiscard]] std::map<std::string, LoopArithmetic> arithmetic_of_loops(llvm::Module& module);

struct KernelModule {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
};

/// The options that kernels are compiled with: a product and a sum may be fused.
[[nodiscard]] llvm::TargetOptions kernel_options();

/// The module of a nest, in a context of its own, with one function `name` to call the kernel by.
[[nodiscard]] Result<KernelModule> kernel_module(const LoopNest& nest, const KernelTarget& target,
                                                 llvm::TargetMachine& machine, const std::string& name);

/// The assembly of a module, which is consumed.
[[nodiscard]] Result<std::string> assembly_of(llvm::Module& module, llvm::TargetMachine& machine);

} // namespace sparsight
