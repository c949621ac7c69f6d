#include "domains/sparse/kernel/lowering/loop_order.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// Builds the list loop by loop, keeping the value of each index and the position in A as affine functions of
/// the variables bound so far.
class OrderBuilder {
public:
    OrderBuilder(const SuperSchedule& schedule, const Extents& extents, const StorageFormat& storage)
        : schedule_(schedule)
        , extents_(extents)
        , storage_(storage) {}

    LoopOrder build() {
        const LoopList named = existing_loops(schedule_);
        for (std::size_t at = 0; at < named.size(); ++at) {
            if (at + 1 < named.size() && can_fuse(named[at], named[at + 1])) {
                append_whole(named[at].index);
                ++at;
            } else {
                append(named[at]);
            }
        }
        address_operands();
        return std::move(order_);
    }

private:
    [[nodiscard]] bool is_sparse(LoopIndex loop) const { return is_sparse_index(schedule_.op, loop.index); }

    /// x1 directly followed by x0 visits x in order: one loop, unless a level between them is compressed or
    /// the chunks of a parallel loop count iterations of x1.
    [[nodiscard]] bool can_fuse(LoopIndex outer, LoopIndex inner) const {
        if (outer.index != inner.index || outer.part != Part::Outer || outer == schedule_.parallel)
            return false;
        return !is_sparse(outer) || (schedule_.format(outer) == LevelFormat::Uncompressed &&
                                     schedule_.format(inner) == LevelFormat::Uncompressed);
    }

    [[nodiscard]] std::int64_t outer_extent(Index index) const {
        const std::int64_t split = schedule_.split(index);
        return (extents_[index] + split - 1) / split;
    }

    [[nodiscard]] Variable new_variable(std::string name) {
        order_.variables.push_back(std::move(name));
        return static_cast<Variable>(order_.variables.size()) - 1;
    }

    Affine& value(Index index) { return values_[static_cast<std::size_t>(index)]; }

    void append_whole(Index index) {
        const bool sparse = is_sparse_index(schedule_.op, index);
        if (sparse)
            position_ = position_ * (outer_extent(index) * schedule_.split(index));
        if (extents_[index] != 1) {
            OrderedLoop loop;
            loop.index = index;
            loop.kind = sparse ? LoopKind::Uncompressed : LoopKind::Dense;
            loop.coordinate = new_variable(std::string(1, letter(index)));
            loop.extent = extents_[index];
            loop.level = level_;
            value(index) = Affine::of(loop.coordinate);
            if (sparse)
                position_ = position_ + Affine::of(loop.coordinate);
            order_.loops.push_back(std::move(loop));
        }
        level_ += sparse ? 2 : 0;
    }

    void append(LoopIndex named) {
        const bool sparse = is_sparse(named);
        const bool inner = named.part == Part::Inner;
        const std::int64_t split = schedule_.split(named.index);
        OrderedLoop loop;
        loop.index = named.index;
        loop.level = level_;
        loop.parallel = named == schedule_.parallel;
        loop.kind = !sparse                                                ? LoopKind::Dense
                    : schedule_.format(named) == LevelFormat::Uncompressed ? LoopKind::Uncompressed
                                                                           : LoopKind::Compressed;
        loop.extent = inner ? std::min(split, extents_[named.index]) : outer_extent(named.index);
        if (loop.kind == LoopKind::Compressed)
            append_compressed(std::move(loop), named);
        else
            append_counted(std::move(loop), named);
        level_ += sparse ? 1 : 0;
    }

    [[nodiscard]] std::string name_of(LoopIndex named) const {
        std::string name(1, letter(named.index));
        if (schedule_.is_split(named.index))
            name += named.part == Part::Outer ? '1' : '0';
        return name;
    }

    void append_compressed(OrderedLoop loop, LoopIndex named) {
        loop.position = new_variable(fmt::format("p{}", name_of(named)));
        loop.coordinate = new_variable(name_of(named));
        loop.parent = position_;
        position_ = Affine::of(loop.position);
        bind(named, loop.coordinate);
        order_.loops.push_back(std::move(loop));
    }

    void append_counted(OrderedLoop loop, LoopIndex named) {
        const bool sparse = is_sparse(named);
        if (sparse)
            position_ = position_ * storage_.levels[level_].extent;
        if (loop.extent == 1)
            return; // its coordinate is 0
        loop.coordinate = new_variable(name_of(named));
        const std::int64_t split = schedule_.split(named.index);
        const std::int64_t remainder = extents_[named.index] % split;
        const Variable outer = outer_coordinates_[static_cast<std::size_t>(named.index)];
        if (named.part == Part::Inner && outer >= 0 && remainder != 0)
            loop.clip = Clip{outer, outer_extent(named.index) - 1, remainder};
        if (sparse)
            position_ = position_ + Affine::of(loop.coordinate);
        bind(named, loop.coordinate);
        order_.loops.push_back(std::move(loop));
    }

    void bind(LoopIndex named, Variable coordinate) {
        const std::int64_t step = named.part == Part::Outer ? schedule_.split(named.index) : 1;
        value(named.index) = value(named.index) + Affine::of(coordinate) * step;
        if (named.part == Part::Outer)
            outer_coordinates_[static_cast<std::size_t>(named.index)] = coordinate;
    }

    /// In a dense operand, row-major.
    [[nodiscard]] Affine address(const IndexList& operand) {
        Affine offset = value(operand[0]);
        for (const Index index : std::span(operand).subspan(1))
            offset = offset * extents_[index] + value(index);
        return offset;
    }

    void address_operands() {
        const OperatorDescription& op = description(schedule_.op);
        static constexpr std::array dense{Operand::B, Operand::D};
        order_.op = schedule_.op;
        order_.target = {Operand::C, has_sparse_output(schedule_.op) ? position_ : address(op.output)};
        order_.factors.push_back({Operand::A, position_});
        for (std::size_t at = 0; at < op.factors.size(); ++at)
            order_.factors.push_back({dense[at], address(op.factors[at])});
    }

    const SuperSchedule& schedule_;
    const Extents& extents_;
    const StorageFormat& storage_;
    LoopOrder order_;
    std::array<Affine, most_indices> values_{};
    std::array<Variable, most_indices> outer_coordinates_{-1, -1, -1, -1, -1};
    Affine position_; ///< in the innermost level bound so far
    std::size_t level_ = 0;
};

} // namespace

LoopOrder order_loops(const SuperSchedule& schedule, const Extents& extents, const StorageFormat& storage) {
    return OrderBuilder(schedule, extents, storage).build();
}

bool is_reduction(const LoopOrder& order, std::size_t depth) {
    return is_summed(order.op, order.loops[depth].index);
}

} // namespace sparsight
