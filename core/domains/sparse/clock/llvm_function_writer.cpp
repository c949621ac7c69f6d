#include "domains/sparse/clock/llvm_function_writer.h"

#include "domains/sparse/clock/kernel_module.h"

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

using llvm::BasicBlock;
using llvm::Value;

LlvmFunctionWriter::LlvmFunctionWriter(const LoopNest& nest, const KernelTarget& target, llvm::Module& module)
    : nest_(nest)
    , lanes_(static_cast<unsigned>(target.lanes))
    , module_(module)
    , context_(module.getContext())
    , builder_(context_)
    , index_type_(builder_.getInt64Ty())
    , float_type_(builder_.getFloatTy())
    , pointer_type_(builder_.getPtrTy()) {
    scope_.variables.resize(nest.variables.size());
    llvm::FastMathFlags fast;
    fast.setFast();
    builder_.setFastMathFlags(fast);
}

void LlvmFunctionWriter::return_when_abandoned() {
    auto* leave = new_block("abandoned");
    auto* go_on = new_block("wanted");
    auto* address = builder_.CreateConstInBoundsGEP1_64(pointer_type_, scope_.kernel_context,
                                                        static_cast<std::uint64_t>(ContextField::Abandoned));
    auto* load = builder_.CreateAlignedLoad(index_type_, address, llvm::Align(8));
    load->setAtomic(llvm::AtomicOrdering::Monotonic);
    builder_.CreateCondBr(builder_.CreateICmpEQ(load, constant(0)), go_on, leave);
    builder_.SetInsertPoint(leave);
    auto* store = builder_.CreateAlignedStore(constant(KernelContext::left_early), address, llvm::Align(8));
    store->setAtomic(llvm::AtomicOrdering::Monotonic);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(go_on);
}

/// Starts a function and loads the operands' addresses, which never change while it runs.
void LlvmFunctionWriter::begin_function(const std::string& name, llvm::ArrayRef<llvm::Type*> parameters,
                                        llvm::GlobalValue::LinkageTypes linkage) {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), parameters, false);
    scope_.function = llvm::Function::Create(type, linkage, name, module_);
    scope_.function->addFnAttr(llvm::Attribute::NoUnwind);
    if (lanes_ == 16)
        scope_.function->addFnAttr("prefer-vector-width", "512");
    builder_.SetInsertPoint(BasicBlock::Create(context_, "entry", scope_.function));
    scope_.entry = builder_.GetInsertBlock();
    scope_.kernel_context = scope_.function->getArg(0);
    scope_.operands[static_cast<std::size_t>(Operand::A)] = context_field(ContextField::A, 0);
    scope_.operands[static_cast<std::size_t>(Operand::B)] = context_field(ContextField::B, 0);
    scope_.operands[static_cast<std::size_t>(Operand::D)] = context_field(ContextField::D, 0);
    scope_.operands[static_cast<std::size_t>(Operand::C)] = context_field(ContextField::C, 0);
    for (std::size_t level = 0; level < nest_.storage.levels.size(); ++level) {
        if (nest_.storage.levels[level].format != LevelFormat::Compressed)
            continue;
        scope_.pos[level] = context_field(ContextField::Pos, level);
        scope_.crd[level] = context_field(ContextField::Crd, level);
    }
}

Value* LlvmFunctionWriter::context_field(ContextField field, std::size_t offset) {
    auto* address = builder_.CreateConstInBoundsGEP1_64(pointer_type_, scope_.kernel_context,
                                                        static_cast<std::uint64_t>(field) + offset);
    return invariant(builder_.CreateLoad(pointer_type_, address));
}

llvm::LoadInst* LlvmFunctionWriter::invariant(llvm::LoadInst* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return load;
}

Value* LlvmFunctionWriter::load_index(Value* array, Value* at) {
    auto* type = builder_.getInt32Ty();
    auto* load = invariant(builder_.CreateLoad(type, builder_.CreateInBoundsGEP(type, array, at)));
    return builder_.CreateSExt(load, index_type_);
}

Value* LlvmFunctionWriter::widen(Value* value, llvm::Type* type) {
    if (value->getType() == type || !type->isVectorTy())
        return value;
    return builder_.CreateVectorSplat(llvm::cast<llvm::FixedVectorType>(type)->getNumElements(), value);
}

Value* LlvmFunctionWriter::load(const Access& access) {
    auto* load = this->load(vector_type(width_of(access)), address(access));
    return access.operand == Operand::C ? load : invariant(load);
}

llvm::LoadInst* LlvmFunctionWriter::load(llvm::Type* type, Value* address) {
    return builder_.CreateAlignedLoad(type, address, llvm::Align(4));
}

void LlvmFunctionWriter::store(Value* value, Value* address) {
    builder_.CreateAlignedStore(value, address, llvm::Align(4));
}

unsigned LlvmFunctionWriter::width_of(const Access& access) const {
    return current_lanes_ && access.offset.factor_of(current_lanes_->variable) == 1 ? current_lanes_->width
                                                                                    : 1;
}

llvm::Type* LlvmFunctionWriter::vector_type(unsigned width) {
    return width == 1 ? float_type_ : llvm::FixedVectorType::get(float_type_, width);
}

/// The constant part is added last, so that it folds into the instruction's displacement.
Value* LlvmFunctionWriter::address(const Access& access) {
    Value* base = scope_.operands[static_cast<std::size_t>(access.operand)];
    std::int64_t fixed = access.offset.constant;
    Value* moving = nullptr;
    for (const Affine::Term& term : access.offset.terms) {
        Value* at = variable(term.variable);
        if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(at)) {
            fixed += known->getSExtValue() * term.factor;
            continue;
        }
        Value* scaled = term.factor == 1 ? at : builder_.CreateNSWMul(at, constant(term.factor));
        moving = moving == nullptr ? scaled : builder_.CreateNSWAdd(moving, scaled);
    }
    if (moving != nullptr)
        base = builder_.CreateInBoundsGEP(float_type_, base, moving);
    return fixed == 0 ? base : builder_.CreateInBoundsGEP(float_type_, base, constant(fixed));
}

Value* LlvmFunctionWriter::value(const Affine& affine) {
    Value* sum = constant(affine.constant);
    for (const Affine::Term& term : affine.terms)
        sum =
            builder_.CreateNSWAdd(sum, builder_.CreateNSWMul(variable(term.variable), constant(term.factor)));
    return sum;
}

void LlvmFunctionWriter::stream(Value* value, Value* address) {
    auto* store = builder_.CreateAlignedStore(value, address, llvm::Align(lanes_ * sizeof(float)));
    auto* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
    store->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(context_, {one}));
}

std::string LlvmFunctionWriter::loop_block_name(const Loop& loop) {
    return block_of_loop(nest_.variables[static_cast<std::size_t>(loop.coordinate)], named_loops_++);
}

BasicBlock* LlvmFunctionWriter::new_block(const char* name) {
    return BasicBlock::Create(context_, name, scope_.function);
}

llvm::ConstantInt* LlvmFunctionWriter::constant(std::int64_t value) {
    return builder_.getInt64(static_cast<std::uint64_t>(value));
}

void LlvmFunctionWriter::bind(Variable variable, Value* value) {
    scope_.variables[static_cast<std::size_t>(variable)] = value;
}

Value* LlvmFunctionWriter::variable(Variable variable) const {
    return scope_.variables[static_cast<std::size_t>(variable)];
}

llvm::AllocaInst* LlvmFunctionWriter::allocate(llvm::Type* type) {
    return llvm::IRBuilder<>(scope_.entry, scope_.entry->begin()).CreateAlloca(type);
}

} // namespace sparsight
