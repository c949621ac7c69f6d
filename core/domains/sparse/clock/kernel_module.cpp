#include "domains/sparse/clock/kernel_module.h"

#include "domains/sparse/clock/llvm_printer.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace sparsight {

namespace {

constexpr std::string_view prefix = "loop.";

int multiply_adds(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::fmuladd)
        return 0;
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call->getType());
    return vector == nullptr ? 1 : static_cast<int>(vector->getNumElements());
}

} // namespace

std::string block_of_loop(std::string_view variable, int number) {
    return fmt::format("{}{}.{}", prefix, variable, number);
}

std::string loop_of_block(std::string_view block) {
    if (!block.starts_with(prefix))
        return {};
    block.remove_prefix(prefix.size());
    return std::string(block.substr(0, block.find('.')));
}

std::map<std::string, LoopArithmetic> arithmetic_of_loops(llvm::Module& module) {
    std::map<std::string, LoopArithmetic> found;
    for (llvm::Function& function : module) {
        if (function.isDeclaration())
            continue;
        const llvm::DominatorTree dominators(function);
        const llvm::LoopInfo loops(dominators);
        for (const llvm::BasicBlock& block : function)
            if (const llvm::Loop* loop = loops.getLoopFor(&block)) {
                LoopArithmetic& of_loop = found[loop->getHeader()->getName().str()];
                for (const llvm::Instruction& instruction : block) {
                    const int lanes = multiply_adds(instruction);
                    of_loop.multiply_adds += lanes;
                    of_loop.lanes = std::max(of_loop.lanes, lanes);
                }
            }
    }
    return found;
}

namespace {

/// The IR comes out of the printer in nearly its final form, so a handful of passes is all it needs.
void optimise(llvm::Module& module, llvm::TargetMachine& target) {
    llvm::PassBuilder builder(&target);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);

    llvm::FunctionPassManager passes;
    passes.addPass(llvm::PromotePass());
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
    for (llvm::Function& function : module)
        if (!function.isDeclaration())
            passes.run(function, functions);
}

} // namespace

llvm::TargetOptions kernel_options() {
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
    return options;
}

Result<KernelModule> kernel_module(const LoopNest& nest, const KernelTarget& target,
                                   llvm::TargetMachine& machine, const std::string& name) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>(name, *context);
    module->setDataLayout(machine.createDataLayout());
    module->setTargetTriple(machine.getTargetTriple().str());
    print_llvm(nest, target, *module, name);
    for (llvm::Function& function : *module) {
        function.addFnAttr("target-cpu", machine.getTargetCPU());
        function.addFnAttr("target-features", machine.getTargetFeatureString());
    }
    std::string defects;
    llvm::raw_string_ostream stream(defects);
    if (llvm::verifyModule(*module, &stream))
        return fail(Fault::Internal, "the printed LLVM IR is not valid: " + defects);
    optimise(*module, machine);
    return KernelModule{std::move(context), std::move(module)};
}

Result<std::string> assembly_of(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
        return fail(Fault::Internal,
                    "LLVM cannot print assembly for the processor " + machine.getTargetCPU().str());
    passes.run(module);
    return std::string(text.begin(), text.end());
}

} // namespace sparsight
