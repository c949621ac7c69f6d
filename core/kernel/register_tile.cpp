#include "kernel/register_tile.h"

#include <algorithm>
#include <bit>

namespace sparsight {

namespace {

bool has_constant_extent(const OrderedLoop& loop) {
    return loop.kind != LoopKind::Compressed && !loop.parallel;
}

/// Depths of the loops inside `depth` that address C, or nothing when one of them cannot be an axis: its
/// extent is not constant, or both parts of its index are inside, so that its remainder is decided inside.
std::optional<std::vector<std::size_t>> axes_inside(const LoopOrder& order, std::size_t depth) {
    std::vector<std::size_t> axes;
    for (std::size_t inner = depth + 1; inner < order.loops.size(); ++inner) {
        const OrderedLoop& loop = order.loops[inner];
        if (is_reduction(order, inner)) {
            if (loop.parallel)
                return std::nullopt;
            continue;
        }
        const auto same_index = [&](std::size_t axis) { return order.loops[axis].index == loop.index; };
        if (!has_constant_extent(loop) || loop.extent == 0 || std::ranges::any_of(axes, same_index))
            return std::nullopt;
        axes.push_back(inner);
    }
    return axes;
}

} // namespace

bool is_reduction(const LoopOrder& order, std::size_t depth) {
    return order.loops[depth].index == Index::K;
}

bool is_vectorisable(const LoopOrder& order) {
    if (order.loops.empty())
        return false;
    const OrderedLoop& innermost = order.loops.back();
    if (!has_constant_extent(innermost))
        return false;
    const auto unit_stride = [&](const Access& access) {
        const std::int64_t stride = access.offset.factor_of(innermost.coordinate);
        return stride == 0 || stride == 1;
    };
    return unit_stride(order.target) && std::ranges::all_of(order.factors, unit_stride);
}

std::optional<TileChoice> choose_tile(const LoopOrder& order, const KernelTarget& target) {
    const std::size_t innermost = order.loops.size() - 1;
    for (std::size_t depth = 0; depth < order.loops.size(); ++depth) {
        if (!is_reduction(order, depth) || order.loops[depth].parallel)
            continue;
        const auto axes = axes_inside(order, depth);
        if (!axes)
            continue;
        TileChoice choice{depth, *axes, 0, false};
        choice.vectorised_axis = !axes->empty() && axes->back() == innermost && is_vectorisable(order);
        std::int64_t others = 1;
        for (const std::size_t axis : *axes)
            if (!choice.vectorised_axis || axis != innermost)
                others = std::min<std::int64_t>(others * order.loops[axis].extent, 1 << 20);
        const std::int64_t room = target.accumulator_limit / others;
        if (room == 0)
            continue;
        if (!choice.vectorised_axis)
            return choice;
        const std::int64_t extent = order.loops[innermost].extent;
        if ((extent + target.lanes - 1) / target.lanes <= room)
            return choice;
        choice.strip =
            static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(room))) * target.lanes;
        if (order.loops[innermost].kind == LoopKind::Dense && !order.loops[innermost].clip &&
            extent % choice.strip == 0)
            return choice;
    }
    return std::nullopt;
}

bool overwrites_output(const LoopOrder& order, const TileChoice& tile, Operator op) {
    for (std::size_t depth = 0; depth < tile.depth; ++depth) {
        const bool may_skip = order.loops[depth].kind == LoopKind::Compressed && op != Operator::SDDMM;
        if (is_reduction(order, depth) || may_skip)
            return false;
    }
    return true;
}

} // namespace sparsight
