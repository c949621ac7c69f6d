// A loop nest as an LLVM module, printed for a processor, verified and optimised: what the just-in-time
// compiler loads and what the analyser of machine code looks at is the same.
#pragma once

#include "base/error.h"
#include "kernel/kernel_target.h"
#include "kernel/loop_nest.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
class TargetOptions;
} // namespace llvm

namespace sparsight {

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
