// The registers of one tile while LLVM IR is printed: created where the body first adds into them, zeroed
// where the tile begins. They are stack slots here; LLVM's promotion to registers makes phis of them.
#pragma once

#include <cstdint>
#include <llvm/IR/IRBuilder.h>
#include <map>
#include <vector>

namespace sparsight {

class LlvmAccumulators {
public:
    /// Slots are allocated in `entry` and zeroed before `end_of_init`.
    LlvmAccumulators(llvm::BasicBlock* entry, llvm::Instruction* end_of_init)
        : entry_(entry)
        , end_of_init_(end_of_init) {}

    /// The slot for these axis values, lane count and rotation.
    llvm::AllocaInst* get(const std::vector<std::int64_t>& axis_values, llvm::Type* type, unsigned width,
                          unsigned rotation);

    /// Everything that was added for these axis values, as a value of `type`: lanes are summed when it is a
    /// scalar.
    llvm::Value* sum(llvm::IRBuilder<>& builder, const std::vector<std::int64_t>& axis_values,
                     llvm::Type* type);

private:
    using Kind = std::pair<unsigned, unsigned>; ///< width, rotation
    llvm::BasicBlock* entry_;
    llvm::Instruction* end_of_init_;
    std::map<std::vector<std::int64_t>, std::map<Kind, llvm::AllocaInst*>> slots_;
};

} // namespace sparsight
