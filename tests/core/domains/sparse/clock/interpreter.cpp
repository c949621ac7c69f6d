#include "core/domains/sparse/clock/interpreter.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace sparsight {

namespace {

class Interpreter {
public:
    Interpreter(const LoopNest& nest, const KernelOperands& operands)
        : nest_(nest)
        , operands_(operands)
        , variables_(nest.variables.size()) {}

    Result<void> run() {
        execute(nest_.body);
        if (fault_.empty())
            return {};
        return fail(Fault::Internal, fault_);
    }

private:
    void execute(const Body& body) {
        for (const KernelStatement& statement : body)
            if (fault_.empty())
                std::visit([this](const auto& node) { execute(node); }, statement.node);
    }

    void execute(const ZeroOutput&) { std::ranges::fill(operands_.c, 0.0F); }

    void execute(const Loop& loop) {
        std::int64_t& coordinate = variable(loop.coordinate);
        if (loop.kind != LoopKind::Compressed) {
            const bool last = loop.clip && variable(loop.clip->outer) == loop.clip->last;
            const std::int64_t end = last ? loop.clip->remainder : loop.extent;
            for (coordinate = 0; coordinate < end; ++coordinate)
                execute(loop.body);
            return;
        }
        const PackedLevel& level = operands_.a.levels[loop.level];
        const std::int64_t parent = value(loop.parent);
        if (parent < 0 || parent + 1 >= std::ssize(level.pos)) {
            fault_ = fmt::format("level {} has no parent position {}", loop.level, parent);
            return;
        }
        std::int64_t& position = variable(loop.position);
        const std::int64_t end = level.pos[static_cast<std::size_t>(parent) + 1];
        for (position = level.pos[static_cast<std::size_t>(parent)]; position < end; ++position) {
            coordinate = level.crd[static_cast<std::size_t>(position)];
            execute(loop.body);
        }
    }

    void execute(const Accumulate& update) {
        float* target = update.into_tile ? &tile_[axis_values()] : element(update.target);
        if (target != nullptr)
            *target += product(update.factors);
    }

    void execute(const Tile& tile) {
        axes_ = &tile.axes;
        tile_.clear();
        if (tile.begins_with_output)
            for_each_element(tile, 0, [this](float& target) { tile_[axis_values()] = target; });
        execute(tile.body);
        for_each_element(tile, 0, [&](float& target) {
            const float sum = tile_[axis_values()] * product(tile.scale);
            target = tile.overwrites || tile.begins_with_output ? sum : target + sum;
        });
        axes_ = nullptr;
    }

    void for_each_element(const Tile& tile, std::size_t axis, const std::function<void(float&)>& visit) {
        if (axis < tile.axes.size()) {
            std::int64_t& coordinate = variable(tile.axes[axis].variable);
            for (coordinate = 0; coordinate < tile.axes[axis].extent; ++coordinate)
                for_each_element(tile, axis + 1, visit);
            return;
        }
        if (float* target = element(tile.target))
            visit(*target);
    }

    void execute(const IfStored& stored) {
        const IndexBuffer& pos = operands_.a.levels[stored.level].pos;
        const std::int64_t parent = value(stored.parent);
        if (parent < 0 || parent + 1 >= std::ssize(pos))
            fault_ = fmt::format("level {} has no parent position {}", stored.level, parent);
        else if (pos[static_cast<std::size_t>(parent)] < pos[static_cast<std::size_t>(parent) + 1])
            execute(stored.body);
    }

    void execute(const Branch& branch) {
        execute(variable(branch.variable) != branch.last ? branch.full : branch.remainder);
    }

    [[nodiscard]] std::vector<std::int64_t> axis_values() {
        std::vector<std::int64_t> values;
        for (const Tile::Axis& axis : *axes_)
            values.push_back(variable(axis.variable));
        return values;
    }

    [[nodiscard]] float product(const std::vector<Access>& factors) {
        float result = 1;
        for (const Access& access : factors)
            if (const float* factor = element(access))
                result *= *factor;
        return result;
    }

    /// Null, with the fault noted, when the access is outside its array.
    [[nodiscard]] float* element(const Access& access) {
        const std::int64_t offset = value(access.offset);
        const auto [data, size] = array(access.operand);
        if (offset >= 0 && offset < size)
            return data + offset;
        fault_ = fmt::format("operand {} has {} elements and no element {}",
                             "ABDC"[static_cast<std::size_t>(access.operand)], size, offset);
        return nullptr;
    }

    /// Written through for C only; one signature for reading and writing keeps element() single.
    [[nodiscard]] std::pair<float*, std::int64_t> array(Operand operand) const {
        const auto of = [](std::span<const float> values) {
            return std::pair(const_cast<float*>(values.data()), std::ssize(values));
        };
        switch (operand) {
        case Operand::A:
            return of(operands_.a.values);
        case Operand::B:
            return of(operands_.b);
        case Operand::D:
            return of(operands_.d);
        case Operand::C:
            return of(operands_.c);
        }
        return {};
    }

    [[nodiscard]] std::int64_t& variable(Variable name) { return variables_[static_cast<std::size_t>(name)]; }

    [[nodiscard]] std::int64_t value(const Affine& affine) {
        std::int64_t result = affine.constant;
        for (const Affine::Term& term : affine.terms)
            result += term.factor * variable(term.variable);
        return result;
    }

    const LoopNest& nest_;
    const KernelOperands& operands_;
    std::vector<std::int64_t> variables_;
    const std::vector<Tile::Axis>* axes_ = nullptr;
    std::map<std::vector<std::int64_t>, float> tile_; ///< by axis values
    std::string fault_;
};

} // namespace

Result<void> interpret(const LoopNest& nest, const KernelOperands& operands) {
    return Interpreter(nest, operands).run();
}

} // namespace sparsight
