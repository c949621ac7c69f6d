#include "kernel/llvm_accumulators.h"

namespace sparsight {

llvm::AllocaInst* LlvmAccumulators::get(const std::vector<std::int64_t>& axis_values, llvm::Type* type,
                                        unsigned width, unsigned rotation) {
    llvm::AllocaInst*& slot = slots_[axis_values][{width, rotation}];
    if (slot == nullptr) {
        slot = llvm::IRBuilder<>(entry_, entry_->begin()).CreateAlloca(type);
        llvm::IRBuilder<>(end_of_init_).CreateStore(llvm::Constant::getNullValue(type), slot);
    }
    return slot;
}

llvm::Value* LlvmAccumulators::sum(llvm::IRBuilder<>& builder, const std::vector<std::int64_t>& axis_values,
                                   llvm::Type* type) {
    llvm::Value* zero = llvm::Constant::getNullValue(type);
    const auto found = slots_.find(axis_values);
    if (found == slots_.end())
        return zero;
    // Equal types are added lane by lane first: one horizontal sum for each width, not for each rotation.
    std::map<unsigned, llvm::Value*> by_width;
    for (const auto& [kind, slot] : found->second) {
        llvm::Value* value = builder.CreateLoad(slot->getAllocatedType(), slot);
        llvm::Value*& total = by_width[kind.first];
        total = total == nullptr ? value : builder.CreateFAdd(total, value);
    }
    llvm::Value* result = nullptr;
    for (const auto& [width, total] : by_width) {
        llvm::Value* value = type->isVectorTy() || width == 1
                                 ? total
                                 : builder.CreateFAddReduce(llvm::Constant::getNullValue(type), total);
        result = result == nullptr ? value : builder.CreateFAdd(result, value);
    }
    return result;
}

} // namespace sparsight
