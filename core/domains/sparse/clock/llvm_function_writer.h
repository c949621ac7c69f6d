// What the LLVM printer writes functions with: counted loops, addresses, loads, stores and multiply-adds
// over a KernelContext, and the registers of a tile. What a statement means is in llvm_printer.cpp.
#pragma once

#include "domains/sparse/kernel/lowering/kernel_context.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <array>
#include <cstdint>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// The registers of one tile while LLVM IR is printed: created where the body first adds into them, zeroed
/// where the tile begins. They are stack slots here; LLVM's promotion to registers makes phis of them.
class LlvmAccumulators {
public:
    /// Slots are allocated in `entry` and zeroed before `end_of_init`.
    LlvmAccumulators(llvm::BasicBlock* entry, llvm::Instruction* end_of_init)
        : entry_(entry)
        , end_of_init_(end_of_init) {}

    /// The slot for these axis values, lane count and rotation.
    llvm::AllocaInst* get(const std::vector<std::int64_t>& axis_values, llvm::Type* type, unsigned width,
                          unsigned rotation);

    /// The sum of everything added for these axis values, as a value of `type`: lanes are summed when it is
    /// a scalar.
    llvm::Value* sum(llvm::IRBuilder<>& builder, const std::vector<std::int64_t>& axis_values,
                     llvm::Type* type);

private:
    using Kind = std::pair<unsigned, unsigned>; ///< width, rotation
    llvm::BasicBlock* entry_;
    llvm::Instruction* end_of_init_;
    std::map<std::vector<std::int64_t>, std::map<Kind, llvm::AllocaInst*>> slots_;
};

/// The base class of the LLVM printer: functions over a KernelContext, counted loops, and the addresses,
/// loads, stores and multiply-adds of a loop nest's accesses.
class LlvmFunctionWriter {
protected:
    /// While a vectorised loop is printed: its variable takes `width` consecutive values at once.
    struct Lanes {
        Variable variable = 0;
        unsigned width = 1;
        /// Consecutive reduction steps add into different accumulators, to hide the latency of adds.
        unsigned rotation = 0;
    };

    /// Half-open; positions for a compressed loop, coordinates otherwise.
    struct Bounds {
        llvm::Value* begin;
        llvm::Value* end;
    };

    /// The values that each LLVM function has of its own.
    struct Scope {
        llvm::Function* function = nullptr;
        llvm::BasicBlock* entry = nullptr;
        llvm::Value* kernel_context = nullptr;
        std::array<llvm::Value*, 4> operands{}; ///< addresses, by Operand
        std::array<llvm::Value*, KernelContext::max_levels> pos{};
        std::array<llvm::Value*, KernelContext::max_levels> crd{};
        std::vector<llvm::Value*> variables; ///< null while not bound
    };

    LlvmFunctionWriter(const LoopNest& nest, const KernelTarget& target, llvm::Module& module);

    /// Starts a function and loads the operands' addresses, which never change while it runs.
    void begin_function(const std::string& name, llvm::ArrayRef<llvm::Type*> parameters,
                        llvm::GlobalValue::LinkageTypes linkage);
    /// Returns from the function when the run is abandoned.
    void return_when_abandoned();
    llvm::Value* context_field(ContextField field, std::size_t offset = 0);
    llvm::LoadInst* invariant(llvm::LoadInst* load);
    llvm::AllocaInst* allocate(llvm::Type* type);
    llvm::BasicBlock* new_block(const char* name);
    /// A name that no other block of the module has: see kernel_module.h.
    std::string loop_block_name(const Loop& loop);

    /// for (at = begin; at < end; at += step), tested at the bottom. `at` is the loop's coordinate or
    /// position, and the block is named after the loop. Returns the first `at` that is not below the end.
    template <typename PrintBody>
    llvm::Value* print_counted(const Loop& loop, Bounds range, std::int64_t step,
                               const PrintBody& print_body) {
        auto* before = builder_.GetInsertBlock();
        auto* body = new_block(loop_block_name(loop).c_str());
        auto* after = new_block("after");
        builder_.CreateCondBr(builder_.CreateICmpSLT(range.begin, range.end), body, after);
        builder_.SetInsertPoint(body);
        auto* at = builder_.CreatePHI(index_type_, 2);
        at->addIncoming(range.begin, before);
        print_body(at);
        auto* next = builder_.CreateNSWAdd(at, constant(step));
        auto* end_of_body = builder_.GetInsertBlock();
        at->addIncoming(next, end_of_body);
        builder_.CreateCondBr(builder_.CreateICmpSLT(next, range.end), body, after);
        builder_.SetInsertPoint(after);
        auto* reached = builder_.CreatePHI(index_type_, 2);
        reached->addIncoming(range.begin, before);
        reached->addIncoming(next, end_of_body);
        return reached;
    }

    llvm::ConstantInt* constant(std::int64_t value);
    void bind(Variable variable, llvm::Value* value);
    [[nodiscard]] llvm::Value* variable(Variable variable) const;
    llvm::Value* value(const Affine& affine);

    llvm::Value* address(const Access& access);
    llvm::Value* load_index(llvm::Value* array, llvm::Value* at);
    llvm::Value* load(const Access& access);
    llvm::LoadInst* load(llvm::Type* type, llvm::Value* address);
    void store(llvm::Value* value, llvm::Value* address);
    /// Stores past the caches; the address must be that of a whole vector.
    void stream(llvm::Value* value, llvm::Value* address);

    llvm::Value* widen(llvm::Value* value, llvm::Type* type);
    llvm::Type* vector_type(unsigned width);
    /// How many lanes the access has: those of the loop, or one when it does not move along it.
    [[nodiscard]] unsigned width_of(const Access& access) const;
    [[nodiscard]] unsigned width_of_lanes() const { return current_lanes_ ? current_lanes_->width : 1; }
    [[nodiscard]] unsigned rotation() const { return current_lanes_ ? current_lanes_->rotation : rotation_; }

    const LoopNest& nest_;
    unsigned lanes_; ///< floats in a vector of this computer
    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> builder_;
    llvm::Type* index_type_;
    llvm::Type* float_type_;
    llvm::PointerType* pointer_type_;
    Scope scope_;
    std::optional<Lanes> current_lanes_;
    unsigned rotation_ = 0; ///< without lanes: see Lanes
    int named_loops_ = 0;
};

} // namespace sparsight
