#include "domains/sparse/clock/llvm_printer.h"

#include "domains/sparse/clock/llvm_function_writer.h"

#include <algorithm>
#include <llvm/IR/Intrinsics.h>
#include <type_traits>

namespace sparsight {

namespace {

using llvm::Value;

constexpr std::int64_t cache_line_floats = 16;
constexpr unsigned rotations = 4;
constexpr std::int64_t longest_unrolled = 16; ///< vectors
/// Loops inside a loop from which on an iteration takes so long that looking whether the run is abandoned is
/// free.
constexpr int height_worth_abandoning = 2;

/// How many loops are inside each other.
int height(const Body& body);

int height(const KernelStatement& statement) {
    return std::visit(
        []<typename Node>(const Node& node) {
            if constexpr (std::is_same_v<Node, Loop>)
                return 1 + height(node.body);
            else if constexpr (std::is_same_v<Node, Tile> || std::is_same_v<Node, IfStored>)
                return height(node.body);
            else if constexpr (std::is_same_v<Node, Branch>)
                return std::max(height(node.full), height(node.remainder));
            else
                return 0;
        },
        statement.node);
}

int height(const Body& body) {
    int highest = 0;
    for (const KernelStatement& statement : body)
        highest = std::max(highest, height(statement));
    return highest;
}

class LlvmPrinter : private LlvmFunctionWriter {
public:
    LlvmPrinter(const LoopNest& nest, const KernelTarget& target, llvm::Module& module)
        : LlvmFunctionWriter(nest, target, module) {}

    void print(const std::string& name) {
        begin_function(name, {pointer_type_}, llvm::Function::ExternalLinkage);
        print(nest_.body);
        builder_.CreateRetVoid();
    }

private:
    // ---- statements ----

    void print(const Body& body) {
        for (const KernelStatement& statement : body)
            std::visit([this](const auto& node) { print(node); }, statement.node);
    }

    void print(const ZeroOutput&) {
        auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer_type_}, false);
        builder_.CreateCall(type, context_field(ContextField::ZeroOutput), {scope_.kernel_context});
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

    void print(const IfStored& stored) {
        const Bounds range = walk(stored.level, stored.parent);
        auto* found = new_block("stored");
        auto* done = new_block("done");
        builder_.CreateCondBr(builder_.CreateICmpSLT(range.begin, range.end), found, done);
        builder_.SetInsertPoint(found);
        print(stored.body);
        builder_.CreateBr(done);
        builder_.SetInsertPoint(done);
    }

    void print(const Loop& loop) {
        if (loop.parallel)
            print_parallel(loop);
        else if (loop.vectorised)
            print_vectorised(loop);
        else if (loop.tile_axis || loop.unrolled)
            for (std::int64_t value = 0; value < loop.extent; ++value)
                print_iteration(loop, constant(value));
        else
            print_sequential(loop, bounds(loop));
    }

    Bounds walk(std::size_t level, const Affine& of_parent) {
        Value* parent = value(of_parent);
        return {load_index(scope_.pos[level], parent),
                load_index(scope_.pos[level], builder_.CreateAdd(parent, constant(1)))};
    }

    Bounds bounds(const Loop& loop) {
        if (loop.kind == LoopKind::Compressed)
            return walk(loop.level, loop.parent);
        Value* end = constant(loop.extent);
        if (loop.clip) {
            Value* is_last = builder_.CreateICmpEQ(variable(loop.clip->outer), constant(loop.clip->last));
            end = builder_.CreateSelect(is_last, constant(loop.clip->remainder), end);
        }
        return {constant(0), end};
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

    /// One number after the other: each sum would wait for the one before it.
    [[nodiscard]] bool is_sum_of_numbers(const Loop& loop) const {
        constexpr double long_walk = 8;
        const auto* update =
            loop.body.size() == 1 ? std::get_if<Accumulate>(&loop.body.front().node) : nullptr;
        return loop.kind == LoopKind::Compressed && update != nullptr && update->into_tile &&
               axes_->empty() && (nest_.fill.empty() || nest_.fill[loop.level] >= long_walk);
    }

    void print_sum_of_numbers(const Loop& loop, Bounds range) {
        Value* whole = builder_.CreateNSWSub(range.end, constant(rotations - 1));
        Value* last = print_counted(loop, {range.begin, whole}, rotations, [&](Value* first) {
            for (rotation_ = 0; rotation_ < rotations; ++rotation_)
                print_iteration(loop, builder_.CreateNSWAdd(first, constant(rotation_)));
            rotation_ = 0;
        });
        print_counted(loop, {last, range.end}, 1, [&](Value* at) { print_iteration(loop, at); });
    }

    void print_sequential(const Loop& loop, Bounds range) {
        if (is_sum_of_numbers(loop)) {
            print_sum_of_numbers(loop, range);
            return;
        }
        const bool is_long = height(loop.body) >= height_worth_abandoning;
        print_counted(loop, range, 1, [&](Value* at) {
            if (is_long)
                return_when_abandoned();
            print_iteration(loop, at);
        });
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

        const Scope outside = scope_;
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
        builder_.CreateCall(type, context_field(ContextField::RunParallel),
                            {scope_.kernel_context, body, captured, range.begin, range.end});
    }

    // ---- vector loops ----

    /// Its extent is constant: where the schedule clips such a loop the nest has it twice.
    void print_vectorised(const Loop& loop) {
        const auto width = static_cast<std::int64_t>(lanes_);
        std::int64_t at = 0;
        if (!loop.tile_axis && loop.extent / width > longest_unrolled) {
            const std::int64_t group = rotations * width;
            at = loop.extent / group * group;
            print_counted(loop, {constant(0), constant(at)}, group, [&](Value* first) {
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
            return builder_.CreateFAdd(
                sum, widen(values.empty() ? llvm::ConstantFP::get(float_type_, 1.0) : values.front(),
                           sum->getType()));
        Value* product = values.front();
        for (std::size_t at = 1; at + 1 < values.size(); ++at) {
            product = widen(product, values[at]->getType());
            product = builder_.CreateFMul(product, values[at]);
        }
        return builder_.CreateIntrinsic(
            llvm::Intrinsic::fmuladd, {sum->getType()},
            {widen(product, sum->getType()), widen(values.back(), sum->getType()), sum});
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
        if (tile.begins_with_output)
            for_each_element(tile, 0, [&] {
                const unsigned width = width_of_lanes();
                auto* accumulator = accumulators.get(axis_values(), vector_type(width), width, 0);
                builder_.CreateStore(load(vector_type(width), address(tile.target)), accumulator);
            });
        print(tile.body);
        for_each_element(tile, 0, [&] { write_back(tile); });
        accumulators_ = nullptr;
        axes_ = nullptr;
    }

    /// In vectors along the vectorised axis.
    template <typename Print>
    void for_each_element(const Tile& tile, std::size_t axis, const Print& print_element) {
        if (axis == tile.axes.size()) {
            print_element();
            return;
        }
        const Tile::Axis& along = tile.axes[axis];
        if (!along.vectorised) {
            for (std::int64_t at = 0; at < along.extent; ++at) {
                bind(along.variable, constant(at));
                for_each_element(tile, axis + 1, print_element);
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
            for_each_element(tile, axis + 1, print_element);
            current_lanes_ = {};
            at += width;
        }
    }

    void write_back(const Tile& tile) {
        const unsigned width = width_of_lanes();
        Value* sum = accumulators_->sum(builder_, axis_values(), vector_type(width));
        for (const Access& factor : tile.scale)
            sum = builder_.CreateFMul(sum, widen(load(factor), sum->getType()));
        Value* to = address(tile.target);
        if (!tile.overwrites && !tile.begins_with_output)
            sum = builder_.CreateFAdd(sum, load(sum->getType(), to));
        if (tile.streams && fills_cache_lines(tile.target, width))
            stream(sum, to);
        else
            store(sum, to);
    }

    /// Stores past the caches come in whole lines or not at all.
    [[nodiscard]] bool fills_cache_lines(const Access& target, unsigned width) const {
        std::int64_t fixed = target.offset.constant;
        bool aligned = width == lanes_ && axes_->back().extent % cache_line_floats == 0;
        for (const Affine::Term& term : target.offset.terms) {
            const auto* known = llvm::dyn_cast<llvm::ConstantInt>(variable(term.variable));
            fixed += known != nullptr ? known->getSExtValue() * term.factor : 0;
            aligned = aligned && (known != nullptr || term.factor % cache_line_floats == 0);
        }
        return aligned && fixed % static_cast<std::int64_t>(width) == 0;
    }

    [[nodiscard]] std::vector<std::int64_t> axis_values() {
        std::vector<std::int64_t> values;
        for (const Tile::Axis& axis : *axes_)
            values.push_back(llvm::cast<llvm::ConstantInt>(variable(axis.variable))->getSExtValue());
        return values;
    }

    LlvmAccumulators* accumulators_ = nullptr;
    const std::vector<Tile::Axis>* axes_ = nullptr;
};

} // namespace

void print_llvm(const LoopNest& nest, const KernelTarget& target, llvm::Module& module,
                const std::string& function) {
    LlvmPrinter(nest, target, module).print(function);
}

} // namespace sparsight
