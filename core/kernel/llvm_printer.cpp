#include "kernel/llvm_printer.h"

#include "kernel/kernel_context.h"
#include "kernel/llvm_accumulators.h"

#include <bit>
#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace sparsight {

namespace {

using llvm::BasicBlock;
using llvm::Value;

/// While a vectorised loop is printed: its variable takes `width` consecutive values at once.
struct Lanes {
    Variable variable = 0;
    unsigned width = 1;
    unsigned rotation =
        0; ///< consecutive reduction steps add into different accumulators, to hide the latency of adds
};

/// What has a value of its own in each LLVM function.
struct FunctionScope {
    llvm::Function* function = nullptr;
    BasicBlock* entry = nullptr;
    Value* kernel_context = nullptr;
    std::array<Value*, 4> operands{}; ///< addresses, by Operand
    std::array<Value*, KernelContext::max_levels> pos{};
    std::array<Value*, KernelContext::max_levels> crd{};
    std::vector<Value*> variables; ///< null while not bound
};

constexpr std::int64_t cache_line_floats = 16;
constexpr unsigned rotations = 4;
constexpr std::int64_t longest_unrolled = 16; ///< vectors

class LlvmPrinter {
public:
    LlvmPrinter(const LoopNest& nest, const VectorUnit& unit, llvm::Module& module)
        : nest_(nest)
        , lanes_(static_cast<unsigned>(unit.lanes))
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

    void print(const std::string& name) {
        begin_function(name, {pointer_type_}, llvm::Function::ExternalLinkage);
        print(nest_.body);
        builder_.CreateRetVoid();
    }

private:
    // ---- functions ----

    /// Starts a function and loads the operands' addresses, which never change while it runs.
    void begin_function(const std::string& name, llvm::ArrayRef<llvm::Type*> parameters,
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

    Value* context_field(ContextField field, std::size_t offset) {
        auto* address = builder_.CreateConstInBoundsGEP1_64(pointer_type_, scope_.kernel_context,
                                                            static_cast<std::uint64_t>(field) + offset);
        return invariant(builder_.CreateLoad(pointer_type_, address));
    }

    llvm::LoadInst* invariant(llvm::LoadInst* load) {
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        return load;
    }

    // ---- statements ----

    void print(const Body& body) {
        for (const Statement& statement : body)
            std::visit([this](const auto& node) { print(node); }, statement.node);
    }

    void print(const ZeroOutput&) {
        auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer_type_}, false);
        builder_.CreateCall(type, context_field(ContextField::ZeroOutput, 0), {scope_.kernel_context});
    }

    void print(const Branch& branch) {
        auto* full = new_block("full");
        auto* remainder = new_block("remainder");
        auto* done = new_block("done");
        auto* is_full = builder_.CreateICmpNE(variable(branch.variable), constant(branch.last));
        builder_.CreateCondBr(is_full, full, remainder);
        builder_.SetInsertPoint(full);
        print(branch.full);
        builder_.CreateBr(done);
        builder_.SetInsertPoint(remainder);
        print(branch.remainder);
        builder_.CreateBr(done);
        builder_.SetInsertPoint(done);
    }

    void print(const Loop& loop) {
        if (loop.parallel)
            print_parallel(loop);
        else if (loop.vectorised)
            print_vectorised(loop);
        else if (loop.tile_axis)
            for (std::int64_t value = 0; value < loop.extent; ++value)
                print_iteration(loop, constant(value));
        else
            print_sequential(loop, bounds(loop));
    }

    /// Half-open; positions for a compressed loop, coordinates otherwise.
    struct Bounds {
        Value* begin;
        Value* end;
    };

    Bounds bounds(const Loop& loop) {
        if (loop.kind == LoopKind::Compressed) {
            Value* parent = value(loop.parent);
            return {load_index(scope_.pos[loop.level], parent),
                    load_index(scope_.pos[loop.level], builder_.CreateAdd(parent, constant(1)))};
        }
        Value* end = constant(loop.extent);
        if (loop.clip) {
            Value* is_last = builder_.CreateICmpEQ(variable(loop.clip->outer), constant(loop.clip->last));
            end = builder_.CreateSelect(is_last, constant(loop.clip->remainder), end);
        }
        return {constant(0), end};
    }

    Value* load_index(Value* array, Value* at) {
        auto* type = builder_.getInt32Ty();
        auto* load = invariant(builder_.CreateLoad(type, builder_.CreateInBoundsGEP(type, array, at)));
        return builder_.CreateSExt(load, index_type_);
    }

    void print_iteration(const Loop& loop, Value* at) {
        if (loop.kind == LoopKind::Compressed) {
            bind(loop.position, at);
            bind(loop.coordinate, load_index(scope_.crd[loop.level], at));
        } else {
            bind(loop.coordinate, at);
        }
        print(loop.body);
    }

    void print_sequential(const Loop& loop, Bounds range) {
        print_counted(range, 1, [&](Value* at) { print_iteration(loop, at); });
    }

    /// for (at = begin; at < end; at += step), tested at the bottom.
    template <typename PrintBody>
    void print_counted(Bounds range, std::int64_t step, const PrintBody& print_body) {
        auto* before = builder_.GetInsertBlock();
        auto* body = new_block("loop");
        auto* after = new_block("after");
        builder_.CreateCondBr(builder_.CreateICmpSLT(range.begin, range.end), body, after);
        builder_.SetInsertPoint(body);
        auto* at = builder_.CreatePHI(index_type_, 2);
        at->addIncoming(range.begin, before);
        print_body(at);
        auto* next = builder_.CreateNSWAdd(at, constant(step));
        at->addIncoming(next, builder_.GetInsertBlock());
        builder_.CreateCondBr(builder_.CreateICmpSLT(next, range.end), body, after);
        builder_.SetInsertPoint(after);
    }

    /// The loop's body becomes a function of its own; what is bound outside travels in an array on the stack.
    void print_parallel(const Loop& loop) {
        const Bounds range = bounds(loop);
        std::vector<Variable> bound;
        for (Variable variable = 0; variable < std::ssize(scope_.variables); ++variable)
            if (Value* current = this->variable(variable);
                current != nullptr && !llvm::isa<llvm::Constant>(current))
                bound.push_back(variable);
        auto* array_type = llvm::ArrayType::get(index_type_, std::max<std::size_t>(bound.size(), 1));
        auto* captured = allocate(array_type);
        for (std::size_t slot = 0; slot < bound.size(); ++slot)
            builder_.CreateStore(variable(bound[slot]),
                                 builder_.CreateConstInBoundsGEP1_64(index_type_, captured, slot));

        const FunctionScope outside = scope_;
        auto* call_block = builder_.GetInsertBlock();
        begin_function(scope_.function->getName().str() + ".parallel",
                       {pointer_type_, pointer_type_, index_type_, index_type_},
                       llvm::Function::InternalLinkage);
        for (std::size_t slot = 0; slot < bound.size(); ++slot) {
            auto* address =
                builder_.CreateConstInBoundsGEP1_64(index_type_, scope_.function->getArg(1), slot);
            bind(bound[slot], invariant(builder_.CreateLoad(index_type_, address)));
        }
        print_sequential(loop, {scope_.function->getArg(2), scope_.function->getArg(3)});
        builder_.CreateRetVoid();
        llvm::Function* body = scope_.function;
        scope_ = outside;
        builder_.SetInsertPoint(call_block);

        auto* type = llvm::FunctionType::get(
            builder_.getVoidTy(), {pointer_type_, pointer_type_, pointer_type_, index_type_, index_type_},
            false);
        builder_.CreateCall(type, context_field(ContextField::RunParallel, 0),
                            {scope_.kernel_context, body, captured, range.begin, range.end});
    }

    // ---- vector loops ----

    void print_vectorised(const Loop& loop) {
        if (loop.clip) {
            print_vectorised_of_unknown_extent(loop);
            return;
        }
        const auto width = static_cast<std::int64_t>(lanes_);
        std::int64_t at = 0;
        if (!loop.tile_axis && loop.extent / width > longest_unrolled) {
            const std::int64_t group = rotations * width;
            at = loop.extent / group * group;
            print_counted({constant(0), constant(at)}, group, [&](Value* first) {
                for (unsigned rotation = 0; rotation < rotations; ++rotation)
                    print_lanes(loop, builder_.CreateNSWAdd(first, constant(rotation * width)),
                                {loop.coordinate, lanes_, rotation});
            });
        }
        for (unsigned rotation = 0; at + width <= loop.extent;
             at += width, rotation = (rotation + 1) % rotations)
            print_lanes(loop, constant(at), {loop.coordinate, lanes_, loop.tile_axis ? 0 : rotation});
        for (unsigned narrow = lanes_ / 2; at < loop.extent; narrow /= 2)
            if (at + static_cast<std::int64_t>(narrow) <= loop.extent) {
                print_lanes(loop, constant(at), {loop.coordinate, narrow, 0});
                at += narrow;
            }
    }

    void print_vectorised_of_unknown_extent(const Loop& loop) {
        Value* end = bounds(loop).end;
        Value* whole = builder_.CreateAnd(end, constant(-static_cast<std::int64_t>(lanes_)));
        print_counted({constant(0), whole}, lanes_,
                      [&](Value* at) { print_lanes(loop, at, {loop.coordinate, lanes_, 0}); });
        print_counted({whole, end}, 1, [&](Value* at) { print_lanes(loop, at, {loop.coordinate, 1, 0}); });
    }

    void print_lanes(const Loop& loop, Value* at, Lanes lanes) {
        bind(loop.coordinate, at);
        current_lanes_ = lanes;
        print(loop.body);
        current_lanes_ = {};
    }

    // ---- arithmetic ----

    void print(const Accumulate& update) {
        if (!update.into_tile) {
            Value* to = address(update.target);
            store(add_product(load(vector_type(width_of(update.target)), to), update.factors), to);
            return;
        }
        const unsigned width = width_of_lanes();
        llvm::AllocaInst* accumulator =
            accumulators_->get(axis_values(), vector_type(width), width, rotation());
        Value* sum = builder_.CreateLoad(vector_type(width), accumulator);
        builder_.CreateStore(add_product(sum, update.factors), accumulator);
    }

    /// sum + product of the factors, in one fused multiply-add where there are two or more.
    Value* add_product(Value* sum, const std::vector<Access>& factors) {
        std::vector<Value*> values;
        for (const Access& access : factors)
            values.push_back(load(access));
        // Scalars first, so that they are multiplied before they are broadcast.
        std::ranges::stable_partition(values, [](Value* value) { return !value->getType()->isVectorTy(); });
        if (values.size() < 2)
            return builder_.CreateFAdd(sum, widen(values.empty() ? one() : values.front(), sum->getType()));
        Value* product = values.front();
        for (std::size_t at = 1; at + 1 < values.size(); ++at) {
            product = widen(product, values[at]->getType());
            product = builder_.CreateFMul(product, values[at]);
        }
        return builder_.CreateIntrinsic(
            llvm::Intrinsic::fmuladd, {sum->getType()},
            {widen(product, sum->getType()), widen(values.back(), sum->getType()), sum});
    }

    Value* one() { return llvm::ConstantFP::get(float_type_, 1.0); }

    Value* widen(Value* value, llvm::Type* type) {
        if (value->getType() == type || !type->isVectorTy())
            return value;
        return builder_.CreateVectorSplat(llvm::cast<llvm::FixedVectorType>(type)->getNumElements(), value);
    }

    Value* load(const Access& access) {
        auto* load = this->load(vector_type(width_of(access)), address(access));
        return access.operand == Operand::C ? load : invariant(load);
    }

    llvm::LoadInst* load(llvm::Type* type, Value* address) {
        return builder_.CreateAlignedLoad(type, address, llvm::Align(4));
    }

    void store(Value* value, Value* address) { builder_.CreateAlignedStore(value, address, llvm::Align(4)); }

    /// How many lanes the access has: those of the loop, or one when it does not move along it.
    [[nodiscard]] unsigned width_of(const Access& access) const {
        return current_lanes_ && access.offset.factor_of(current_lanes_->variable) == 1
                   ? current_lanes_->width
                   : 1;
    }
    [[nodiscard]] unsigned width_of_lanes() const { return current_lanes_ ? current_lanes_->width : 1; }
    [[nodiscard]] unsigned rotation() const { return current_lanes_ ? current_lanes_->rotation : 0; }

    llvm::Type* vector_type(unsigned width) {
        return width == 1 ? float_type_ : llvm::FixedVectorType::get(float_type_, width);
    }

    /// The constant part is added last, so that it folds into the instruction's displacement.
    Value* address(const Access& access) {
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

    Value* value(const Affine& affine) {
        Value* sum = constant(affine.constant);
        for (const Affine::Term& term : affine.terms)
            sum = builder_.CreateNSWAdd(
                sum, builder_.CreateNSWMul(variable(term.variable), constant(term.factor)));
        return sum;
    }

    // ---- tiles ----

    void print(const Tile& tile) {
        auto* init = new_block("tile");
        auto* body = new_block("tile.body");
        builder_.CreateBr(init);
        builder_.SetInsertPoint(init);
        auto* end_of_init = builder_.CreateBr(body);
        builder_.SetInsertPoint(body);
        LlvmAccumulators accumulators(scope_.entry, end_of_init);
        accumulators_ = &accumulators;
        axes_ = &tile.axes;
        print(tile.body);
        write_back(tile, 0);
        accumulators_ = nullptr;
        axes_ = nullptr;
    }

    void write_back(const Tile& tile, std::size_t axis) {
        if (axis == tile.axes.size()) {
            write_back_element(tile);
            return;
        }
        const Tile::Axis& along = tile.axes[axis];
        if (!along.vectorised) {
            for (std::int64_t at = 0; at < along.extent; ++at) {
                bind(along.variable, constant(at));
                write_back(tile, axis + 1);
            }
            return;
        }
        unsigned width = lanes_;
        for (std::int64_t at = 0; at < along.extent;) {
            if (at + static_cast<std::int64_t>(width) > along.extent) {
                width /= 2;
                continue;
            }
            bind(along.variable, constant(at));
            current_lanes_ = Lanes{along.variable, width, 0};
            write_back(tile, axis + 1);
            current_lanes_ = {};
            at += width;
        }
    }

    void write_back_element(const Tile& tile) {
        const unsigned width = width_of_lanes();
        Value* sum = accumulators_->sum(builder_, axis_values(), vector_type(width));
        for (const Access& factor : tile.scale)
            sum = builder_.CreateFMul(sum, widen(load(factor), sum->getType()));
        Value* to = address(tile.target);
        if (!tile.overwrites)
            sum = builder_.CreateFAdd(sum, load(sum->getType(), to));
        if (tile.streams && fills_cache_lines(tile.target, width))
            stream(sum, to);
        else
            store(sum, to);
    }

    /// Stores past the caches come in whole lines or not at all.
    [[nodiscard]] bool fills_cache_lines(const Access& target, unsigned width) const {
        std::int64_t fixed = target.offset.constant;
        bool aligned = width == cache_line_floats;
        for (const Affine::Term& term : target.offset.terms) {
            const auto* known = llvm::dyn_cast<llvm::ConstantInt>(variable(term.variable));
            fixed += known != nullptr ? known->getSExtValue() * term.factor : 0;
            aligned = aligned && (known != nullptr || term.factor % cache_line_floats == 0);
        }
        return aligned && fixed % cache_line_floats == 0;
    }

    void stream(Value* value, Value* address) {
        auto* store =
            builder_.CreateAlignedStore(value, address, llvm::Align(cache_line_floats * sizeof(float)));
        auto* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
        store->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(context_, {one}));
    }

    [[nodiscard]] std::vector<std::int64_t> axis_values() {
        std::vector<std::int64_t> values;
        for (const Tile::Axis& axis : *axes_)
            values.push_back(llvm::cast<llvm::ConstantInt>(variable(axis.variable))->getSExtValue());
        return values;
    }

    // ---- small things ----

    BasicBlock* new_block(const char* name) { return BasicBlock::Create(context_, name, scope_.function); }
    llvm::ConstantInt* constant(std::int64_t value) {
        return builder_.getInt64(static_cast<std::uint64_t>(value));
    }
    void bind(Variable variable, Value* value) {
        scope_.variables[static_cast<std::size_t>(variable)] = value;
    }
    [[nodiscard]] Value* variable(Variable variable) const {
        return scope_.variables[static_cast<std::size_t>(variable)];
    }

    llvm::AllocaInst* allocate(llvm::Type* type) {
        return llvm::IRBuilder<>(scope_.entry, scope_.entry->begin()).CreateAlloca(type);
    }

    const LoopNest& nest_;
    unsigned lanes_;
    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> builder_;
    llvm::Type* index_type_;
    llvm::Type* float_type_;
    llvm::PointerType* pointer_type_;

    FunctionScope scope_;
    std::optional<Lanes> current_lanes_;
    LlvmAccumulators* accumulators_ = nullptr;
    const std::vector<Tile::Axis>* axes_ = nullptr;
};

} // namespace

void print_llvm(const LoopNest& nest, const VectorUnit& unit, llvm::Module& module,
                const std::string& function) {
    LlvmPrinter(nest, unit, module).print(function);
}

} // namespace sparsight
