#include "kernel/loop_blocks.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

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

} // namespace sparsight
