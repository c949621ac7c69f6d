#include "domains/sparse/kernel/lowering/loop_shape.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <span>
#include <utility>

namespace sparsight {

namespace {

constexpr std::int64_t cache_line_floats = 16;

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

/// Whether a loop can run along vector lanes where it is the innermost: every operand is contiguous in it or
/// does not depend on it.
bool is_vectorisable(const LoopOrder& order, std::size_t depth) {
    const OrderedLoop& loop = order.loops[depth];
    if (!has_constant_extent(loop))
        return false;
    const auto unit_stride = [&](const Access& access) {
        const std::int64_t stride = access.offset.factor_of(loop.coordinate);
        return stride == 0 || stride == 1;
    };
    return unit_stride(order.target) && std::ranges::all_of(order.factors, unit_stride);
}

/// From so many lanes on a loop is long enough for them: sums along lanes are added up in the end.
std::int64_t long_enough(const LoopOrder& order, std::size_t depth, std::int64_t lanes) {
    constexpr std::int64_t vectors_of_a_sum = 4;
    return is_reduction(order, depth) ? vectors_of_a_sum * lanes : lanes;
}

/// The depths of the loops that become the innermost one, outermost first: the innermost dense loop that
/// lanes can run along, with the outer part of its index where it is short itself. None where the innermost
/// loop will do.
std::vector<std::size_t> loops_to_sink(const LoopOrder& order, const KernelTarget& target) {
    const std::vector<OrderedLoop>& loops = order.loops;
    std::size_t depth = loops.size();
    const bool will_do = is_vectorisable(order, depth - 1);
    if (will_do && loops.back().kind != LoopKind::Dense)
        return {};
    while (depth-- > 0) {
        const OrderedLoop& loop = loops[depth];
        if (loop.kind != LoopKind::Dense || !is_vectorisable(order, depth))
            continue;
        const auto is_other_part = [&](const OrderedLoop& other) { return other.index == loop.index; };
        if (std::ranges::any_of(std::span(loops).subspan(depth + 1), is_other_part))
            continue;
        const auto outer = std::ranges::find_if(loops, is_other_part);
        if (loop.extent < long_enough(order, depth, target.lanes) && !outer->parallel && &*outer != &loop)
            return {static_cast<std::size_t>(outer - loops.begin()), depth};
        if (will_do)
            return {};
        return {depth};
    }
    return {};
}

/// Makes one loop of the whole index, or part, of those loops and puts it inside all others.
void sink(LoopOrder& order, const std::vector<std::size_t>& depths) {
    OrderedLoop sunk = order.loops[depths.back()];
    if (depths.size() > 1) {
        const OrderedLoop& outer = order.loops[depths.front()];
        sunk.extent =
            sunk.clip ? sunk.clip->last * sunk.extent + sunk.clip->remainder : outer.extent * sunk.extent;
        sunk.clip.reset();
        const auto forget_outer = [&](Access& access) {
            std::erase_if(access.offset.terms,
                          [&](const Affine::Term& term) { return term.variable == outer.coordinate; });
        };
        forget_outer(order.target);
        std::ranges::for_each(order.factors, forget_outer);
        order.variables[static_cast<std::size_t>(sunk.coordinate)] = std::string(1, letter(sunk.index));
    }
    for (const std::size_t depth : depths | std::views::reverse)
        order.loops.erase(order.loops.begin() + static_cast<std::ptrdiff_t>(depth));
    order.loops.push_back(std::move(sunk));
}

/// How often the loops of the tile that are no axes run in one visit of it that finds something stored.
double walk_length(const LoopOrder& order, const TileChoice& tile, const MeanFill& fill) {
    double length = 1;
    for (std::size_t depth = tile.depth; depth < order.loops.size(); ++depth) {
        const OrderedLoop& loop = order.loops[depth];
        if (std::ranges::find(tile.axes, depth) != tile.axes.end())
            continue;
        if (loop.kind != LoopKind::Compressed)
            length *= static_cast<double>(loop.extent);
        else if (loop.level < fill.size())
            length *= fill[loop.level];
        else
            return std::numeric_limits<double>::infinity();
    }
    return length;
}

bool walks_compressed_level(const LoopOrder& order, const TileChoice& tile) {
    return std::ranges::any_of(std::span(order.loops).subspan(tile.depth),
                               [](const OrderedLoop& loop) { return loop.kind == LoopKind::Compressed; });
}

/// Each strip reads A's coordinates and values again, and the processor mispredicts the end of a short walk
/// again; without strips C is loaded and stored for each element of A.
bool strips_pay(const LoopOrder& order, const TileChoice& tile, const MeanFill& fill) {
    const OrderedLoop& innermost = order.loops.back();
    if (strip_count(tile, innermost.extent) == 1)
        return true;
    if (innermost.kind != LoopKind::Dense) // A, which is read only once, would be read in pieces
        return false;
    if (!walks_compressed_level(order, tile))
        return true;
    if (tile.widest < cache_line_floats)
        return false;
    constexpr double shortest_walk = 2.5;
    return walk_length(order, tile, fill) >= shortest_walk;
}

std::optional<TileChoice> choose_tile(const LoopOrder& order, const KernelTarget& target, bool vectorised,
                                      const MeanFill& fill) {
    const std::size_t innermost = order.loops.size() - 1;
    for (std::size_t depth = 0; depth < order.loops.size(); ++depth) {
        if (!is_reduction(order, depth) || order.loops[depth].parallel)
            continue;
        const auto axes = axes_inside(order, depth);
        if (!axes)
            continue;
        TileChoice choice{depth, *axes, false, 0, target.lanes};
        choice.vectorised_axis = !axes->empty() && axes->back() == innermost && vectorised;
        std::int64_t others = 1;
        for (const std::size_t axis : *axes)
            if (!choice.vectorised_axis || axis != innermost)
                others = std::min<std::int64_t>(others * order.loops[axis].extent, 1 << 20);
        const std::int64_t room = target.accumulator_limit / others;
        if (room == 0)
            continue;
        choice.widest = room * target.lanes;
        if (!choice.vectorised_axis || strips_pay(order, choice, fill))
            return choice;
    }
    return std::nullopt;
}

/// Short loops of constant extent around straight code.
std::size_t unrolled_from(const LoopShape& shape, const KernelTarget& target) {
    constexpr std::int64_t longest = 8;
    constexpr std::int64_t most_steps = 64; ///< multiply-adds
    const std::vector<OrderedLoop>& loops = shape.order.loops;
    std::size_t from = loops.size();
    std::int64_t steps = 1;
    for (std::size_t depth = loops.size(); depth-- > 0 && steps <= most_steps;) {
        const OrderedLoop& loop = loops[depth];
        const bool is_innermost = depth + 1 == loops.size();
        if (is_innermost && shape.vectorised) {
            const std::int64_t width =
                shape.is_axis(depth) ? strip_width(*shape.tile, loop.extent) : loop.extent;
            steps = (width + target.lanes - 1) / target.lanes;
            continue;
        }
        if (!shape.is_axis(depth)) {
            if (!has_constant_extent(loop) || loop.clip || loop.extent > longest ||
                loop.extent * steps > most_steps)
                break;
            from = depth;
        }
        steps *= loop.extent;
    }
    return from;
}

} // namespace

std::int64_t strip_count(const TileChoice& tile, std::int64_t extent) {
    if (!tile.vectorised_axis || extent <= tile.widest)
        return 1;
    const std::int64_t width = strip_width(tile, extent);
    return (extent + width - 1) / width;
}

std::int64_t strip_width(const TileChoice& tile, std::int64_t extent) {
    if (!tile.vectorised_axis || extent <= tile.widest)
        return extent;
    // Alike, and whole cache lines where that does not waste registers.
    const std::int64_t unit = tile.widest >= 2 * cache_line_floats ? cache_line_floats : tile.lanes;
    const std::int64_t widest = tile.widest / unit * unit;
    const std::int64_t count = (extent + widest - 1) / widest;
    return ((extent + count - 1) / count + unit - 1) / unit * unit;
}

std::optional<TileChoice> scalar_tile(const LoopOrder& order) {
    for (std::size_t depth = 0; depth < order.loops.size(); ++depth)
        if (is_reduction(order, depth) && !order.loops[depth].parallel)
            if (const auto axes = axes_inside(order, depth); axes && axes->empty())
                return TileChoice{depth, {}, false, 0, 1};
    return std::nullopt;
}

LoopShape shape_loops(LoopOrder order, const KernelTarget& target, const MeanFill& fill) {
    LoopShape shape{std::move(order), {}, {}, false, 0};
    std::vector<OrderedLoop>& loops = shape.order.loops;
    if (loops.empty())
        return shape;
    shape.vectorised = is_vectorisable(shape.order, loops.size() - 1);
    if (target.accumulator_limit > 0)
        shape.sunk = loops_to_sink(shape.order, target);
    if (!shape.sunk.empty()) {
        sink(shape.order, shape.sunk);
        shape.vectorised = true;
    }
    shape.tile = choose_tile(shape.order, target, shape.vectorised, fill);
    shape.unrolled_from = target.accumulator_limit > 0 ? unrolled_from(shape, target) : loops.size();
    return shape;
}

bool overwrites_output(const LoopOrder& order, const TileChoice& tile) {
    for (std::size_t depth = 0; depth < tile.depth; ++depth) {
        const bool may_skip = order.loops[depth].kind == LoopKind::Compressed && !has_sparse_output(order.op);
        if (is_reduction(order, depth) || may_skip)
            return false;
    }
    return true;
}

} // namespace sparsight
