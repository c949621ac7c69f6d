#include "domains/sparse/kernel/lowering/loop_nest.h"

#include "base/quantity.h"
#include "domains/sparse/kernel/lowering/loop_order.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

namespace sparsight {

namespace {

/// As the kernel's topology says; sysconf would tell a virtual machine of its host's caches. 0 where it is
/// not said.
std::int64_t last_cache_bytes() {
    std::int64_t last = 0;
    for (int index = 0;; ++index) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
        std::string size; // "32768K"
        if (!(file >> size))
            return last;
        if (const auto bytes = parse_bytes(size))
            last = std::max(last, static_cast<std::int64_t>(*bytes));
    }
}

} // namespace

KernelTarget KernelTarget::of_this_computer() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        return {16, 24, last_cache_bytes()};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {8, 12, last_cache_bytes()};
    return {4, 12, last_cache_bytes()};
#elif defined(__aarch64__)
    return {4, 24, last_cache_bytes()};
#else
    return {4, 8, last_cache_bytes()};
#endif
}

std::int64_t Affine::factor_of(Variable variable) const {
    const auto term = std::ranges::find(terms, variable, &Term::variable);
    return term == terms.end() ? 0 : term->factor;
}

Affine operator+(Affine left, const Affine& right) {
    for (const Affine::Term& term : right.terms) {
        const auto same = std::ranges::find(left.terms, term.variable, &Affine::Term::variable);
        if (same == left.terms.end())
            left.terms.push_back(term);
        else
            same->factor += term.factor;
    }
    left.constant += right.constant;
    return left;
}

Affine operator*(Affine affine, std::int64_t factor) {
    for (Affine::Term& term : affine.terms)
        term.factor *= factor;
    affine.constant *= factor;
    return affine;
}

namespace {

class Lowering {
public:
    Lowering(LoopOrder order, std::optional<TileChoice> tile, const LoopNest& nest,
             const KernelTarget& target)
        : order_(std::move(order))
        , tile_(std::move(tile))
        , op_(nest.op)
        , exceeds_caches_(output_exceeds_caches(nest, target)) {
        if (tile_ && tile_->strip > 0)
            add_strip_loop();
        vectorisable_ = is_vectorisable(order_);
    }

    Body run() {
        Body body;
        if (!overwrites())
            body.push_back({ZeroOutput{}});
        append(body, {order_.loops, {false, order_.target, order_.factors}}, 0);
        return body;
    }

    [[nodiscard]] std::vector<std::string> variables() && { return std::move(order_.variables); }

private:
    /// What is still to be written: the loops, and what happens inside the innermost.
    struct Work {
        std::vector<OrderedLoop> loops;
        Accumulate update;
    };

    /// Never for SDDMM, whose C is small beside what is read for it.
    static bool output_exceeds_caches(const LoopNest& nest, const KernelTarget& target) {
        const std::int64_t elements = operand_sizes(nest.op, nest.extents, 0).c;
        return target.cache_bytes > 0 &&
               elements > target.cache_bytes / 2 / static_cast<std::int64_t>(sizeof(float));
    }

    /// Cuts the innermost axis j into j = strip · js + j and puts the loop over js outside the tile.
    void add_strip_loop() {
        OrderedLoop& innermost = order_.loops.back();
        OrderedLoop strips = innermost;
        order_.variables.push_back(order_.variables[static_cast<std::size_t>(innermost.coordinate)] + "s");
        strips.coordinate = static_cast<Variable>(order_.variables.size()) - 1;
        strips.extent = innermost.extent / tile_->strip;
        strips.strip = tile_->strip;
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

    [[nodiscard]] bool overwrites() const { return tile_ && overwrites_output(order_, *tile_, op_); }

    [[nodiscard]] bool is_axis(std::size_t depth) const {
        return tile_ && std::ranges::find(tile_->axes, depth) != tile_->axes.end();
    }

    void append(Body& body, const Work& work, std::size_t depth) const {
        if (tile_ && depth == tile_->depth && !work.update.into_tile)
            append_tile(body, work, 0);
        else if (depth == work.loops.size())
            body.push_back({work.update});
        else
            append_loop(body, work, depth);
    }

    void append_loop(Body& body, const Work& work, std::size_t depth) const {
        const OrderedLoop& ordered = work.loops[depth];
        Loop loop;
        loop.kind = ordered.kind;
        loop.coordinate = ordered.coordinate;
        loop.extent = ordered.extent;
        loop.clip = ordered.clip;
        loop.level = ordered.level;
        loop.position = ordered.position;
        loop.parent = ordered.parent;
        loop.parallel = ordered.parallel;
        loop.vectorised = vectorisable_ && depth + 1 == work.loops.size();
        loop.tile_axis = is_axis(depth);
        loop.strip = ordered.strip;
        append(loop.body, work, depth + 1);
        body.push_back({std::move(loop)});
    }

    /// A clipped axis becomes a branch between two tiles, each with a constant extent.
    void append_tile(Body& body, const Work& work, std::size_t first_axis) const {
        for (std::size_t at = first_axis; at < tile_->axes.size(); ++at) {
            const auto& clip = work.loops[tile_->axes[at]].clip;
            if (!clip)
                continue;
            Work unclipped = work;
            OrderedLoop& axis = unclipped.loops[tile_->axes[at]];
            axis.clip.reset();
            Branch branch{clip->outer, clip->last, {}, {}};
            append_tile(branch.full, unclipped, at + 1);
            axis.extent = clip->remainder;
            append_tile(branch.remainder, unclipped, at + 1);
            body.push_back({std::move(branch)});
            return;
        }
        Tile tile;
        for (const std::size_t depth : tile_->axes) {
            const bool vectorised = tile_->vectorised_axis && depth + 1 == work.loops.size();
            tile.axes.push_back({work.loops[depth].coordinate, work.loops[depth].extent, vectorised});
        }
        tile.target = work.update.target;
        tile.overwrites = overwrites();
        tile.streams = tile.overwrites && exceeds_caches_;
        Work inside{work.loops, {true, {}, {}}};
        for (const Access& factor : work.update.factors)
            (changes_in_tile(factor) ? inside.update.factors : tile.scale).push_back(factor);
        append(tile.body, inside, tile_->depth);
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

    LoopOrder order_;
    std::optional<TileChoice> tile_;
    Operator op_;
    bool exceeds_caches_;
    bool vectorisable_ = false;
};

} // namespace

LoopNest lower(const SuperSchedule& schedule, const Extents& extents, const KernelTarget& target) {
    LoopNest nest;
    nest.op = schedule.op;
    nest.extents = extents;
    nest.storage = storage_format(schedule, extents);
    nest.chunk = schedule.chunk;
    LoopOrder order = order_loops(schedule, extents, nest.storage);
    const auto tile = order.loops.empty() ? std::nullopt : choose_tile(order, target);
    Lowering lowering(std::move(order), tile, nest, target);
    nest.body = lowering.run();
    nest.variables = std::move(lowering).variables();
    return nest;
}

} // namespace sparsight
