#include "kernel/lowering.h"

#include "kernel/kernel_operands.h"
#include "kernel/register_tile.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

class Lowering {
public:
    Lowering(LoopOrder order, std::optional<TileChoice> tile, const LoopNest& nest, const VectorUnit& unit)
        : order_(std::move(order))
        , tile_(std::move(tile))
        , op_(nest.op)
        , exceeds_caches_(output_exceeds_caches(nest, unit)) {
        if (tile_ && tile_->strip > 0)
            add_strip_loop();
        vectorisable_ = is_vectorisable(order_);
    }

    Body run() {
        Body body;
        if (!overwrites())
            body.push_back({ZeroOutput{}});
        append(body, 0);
        return body;
    }

    [[nodiscard]] std::vector<std::string> variables() && { return std::move(order_.variables); }

private:
    /// Never for SDDMM, whose C is small beside what is read for it.
    static bool output_exceeds_caches(const LoopNest& nest, const VectorUnit& unit) {
        const std::int64_t elements = operand_sizes(nest.op, nest.extents, 0).c;
        return unit.cache_bytes > 0 &&
               elements > unit.cache_bytes / 2 / static_cast<std::int64_t>(sizeof(float));
    }

    /// Cuts the innermost axis j into j = strip · js + j and puts the loop over js outside the tile.
    void add_strip_loop() {
        OrderedLoop& innermost = order_.loops.back();
        OrderedLoop strips = innermost;
        order_.variables.push_back(order_.variables[static_cast<std::size_t>(innermost.coordinate)] + "s");
        strips.coordinate = static_cast<Variable>(order_.variables.size()) - 1;
        strips.extent = innermost.extent / tile_->strip;
        innermost.extent = tile_->strip;
        const auto cut = [&](Access& access) {
            const std::int64_t factor = access.offset.factor_of(innermost.coordinate);
            if (factor != 0)
                access.offset = access.offset + Affine::of(strips.coordinate) * (factor * tile_->strip);
        };
        cut(order_.target);
        std::ranges::for_each(order_.factors, cut);
        order_.loops.insert(order_.loops.begin() + static_cast<std::ptrdiff_t>(tile_->depth), strips);
        ++tile_->depth;
        for (std::size_t& axis : tile_->axes)
            ++axis;
    }

    /// Whether the tile visits each element of C exactly once: no reduction outside it, and for dense C no
    /// coordinate that a compressed level may leave out. (SDDMM's C has the positions of A, and every one is
    /// visited.)
    [[nodiscard]] bool overwrites() const {
        if (!tile_)
            return false;
        for (std::size_t depth = 0; depth < tile_->depth; ++depth) {
            const bool may_skip = order_.loops[depth].kind == LoopKind::Compressed && op_ != Operator::SDDMM;
            if (is_reduction(order_, depth) || may_skip)
                return false;
        }
        return true;
    }

    [[nodiscard]] bool is_axis(std::size_t depth) const {
        return tile_ && std::ranges::find(tile_->axes, depth) != tile_->axes.end();
    }

    void append(Body& body, std::size_t depth) {
        if (tile_ && depth == tile_->depth && !inside_tile_)
            append_tile(body, 0);
        else if (depth == order_.loops.size())
            append_update(body);
        else
            append_loop(body, depth);
    }

    void append_loop(Body& body, std::size_t depth) {
        const OrderedLoop& ordered = order_.loops[depth];
        Loop loop;
        loop.kind = ordered.kind;
        loop.coordinate = ordered.coordinate;
        loop.extent = ordered.extent;
        loop.clip = ordered.clip;
        loop.level = ordered.level;
        loop.position = ordered.position;
        loop.parent = ordered.parent;
        loop.parallel = ordered.parallel;
        loop.vectorised = vectorisable_ && depth + 1 == order_.loops.size();
        loop.tile_axis = is_axis(depth);
        append(loop.body, depth + 1);
        body.push_back({std::move(loop)});
    }

    /// A clipped axis becomes a branch between two tiles, each with a constant extent.
    void append_tile(Body& body, std::size_t first_axis) {
        for (std::size_t at = first_axis; at < tile_->axes.size(); ++at) {
            OrderedLoop& axis = order_.loops[tile_->axes[at]];
            if (!axis.clip)
                continue;
            const Clip clip = *std::exchange(axis.clip, std::nullopt);
            Branch branch{clip.outer, clip.last, {}, {}};
            append_tile(branch.full, at + 1);
            const std::int64_t extent = std::exchange(axis.extent, clip.remainder);
            append_tile(branch.remainder, at + 1);
            axis.extent = extent;
            axis.clip = clip;
            body.push_back({std::move(branch)});
            return;
        }
        Tile tile;
        for (const std::size_t depth : tile_->axes) {
            const bool vectorised = tile_->vectorised_axis && depth + 1 == order_.loops.size();
            tile.axes.push_back({order_.loops[depth].coordinate, order_.loops[depth].extent, vectorised});
        }
        tile.target = order_.target;
        tile.overwrites = overwrites();
        tile.streams = tile.overwrites && exceeds_caches_;
        std::vector<Access> all = order_.factors;
        const auto changes = std::ranges::stable_partition(
            order_.factors, [&](const Access& access) { return !changes_in_tile(access); });
        tile.scale.assign(order_.factors.begin(), changes.begin());
        order_.factors.erase(order_.factors.begin(), changes.begin());
        inside_tile_ = true;
        append(tile.body, tile_->depth);
        inside_tile_ = false;
        order_.factors = std::move(all);
        body.push_back({std::move(tile)});
    }

    /// Whether a reduction loop of the tile moves the access; what no such loop moves can be multiplied in at
    /// the end.
    [[nodiscard]] bool changes_in_tile(const Access& access) const {
        for (std::size_t depth = tile_->depth; depth < order_.loops.size(); ++depth) {
            const OrderedLoop& loop = order_.loops[depth];
            if (is_axis(depth))
                continue;
            if (access.offset.factor_of(loop.coordinate) != 0 ||
                (loop.position >= 0 && access.offset.factor_of(loop.position) != 0))
                return true;
        }
        return false;
    }

    void append_update(Body& body) {
        Accumulate update;
        update.into_tile = inside_tile_;
        if (!inside_tile_)
            update.target = order_.target;
        update.factors = order_.factors;
        body.push_back({std::move(update)});
    }

    LoopOrder order_;
    std::optional<TileChoice> tile_;
    Operator op_;
    bool exceeds_caches_;
    bool inside_tile_ = false;
    bool vectorisable_ = false;
};

} // namespace

LoopNest lower(const SuperSchedule& schedule, const Extents& extents, const VectorUnit& unit) {
    LoopNest nest;
    nest.op = schedule.op;
    nest.extents = extents;
    nest.storage =
        storage_format(schedule, extents[row_index(schedule.op)], extents[column_index(schedule.op)]);
    nest.chunk = schedule.chunk;
    LoopOrder order = order_loops(schedule, extents, nest.storage);
    const auto tile = order.loops.empty() ? std::nullopt : choose_tile(order, unit);
    Lowering lowering(std::move(order), tile, nest, unit);
    nest.body = lowering.run();
    nest.variables = std::move(lowering).variables();
    return nest;
}

} // namespace sparsight
