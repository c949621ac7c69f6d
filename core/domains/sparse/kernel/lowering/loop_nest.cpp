#include "domains/sparse/kernel/lowering/loop_nest.h"

#include "base/quantity.h"
#include "domains/sparse/kernel/lowering/loop_shape.h"
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
    Lowering(LoopShape shape, const LoopNest& nest, const KernelTarget& target)
        : shape_(std::move(shape))
        , op_(nest.op)
        , storage_(nest.storage)
        , exceeds_caches_(output_exceeds_caches(nest, target)) {
        if (tile() && tile()->vectorised_axis && order().loops.back().extent > tile()->widest) {
            const auto innermost = static_cast<std::size_t>(order().loops.back().coordinate);
            strips_ = static_cast<Variable>(order().variables.size());
            shape_.order.variables.push_back(order().variables[innermost] + "s");
        }
    }

    Body run() {
        Body body;
        if (!overwrites())
            body.push_back({ZeroOutput{}});
        append(body, {order().loops, {false, order().target, order().factors}, nullptr}, 0);
        return body;
    }

    [[nodiscard]] std::vector<std::string> variables() && { return std::move(shape_.order.variables); }

private:
    /// What is still to be written: the loops, and what happens inside the innermost.
    struct Work {
        std::vector<OrderedLoop> loops;
        Accumulate update;
        const OrderedLoop* tested = nullptr; ///< the compressed loop that is known not to be empty
    };

    /// Never for SDDMM, whose C is small beside what is read for it.
    static bool output_exceeds_caches(const LoopNest& nest, const KernelTarget& target) {
        const std::int64_t elements = operand_sizes(nest.op, nest.extents, 0).c;
        return target.cache_bytes > 0 &&
               elements > target.cache_bytes / 2 / static_cast<std::int64_t>(sizeof(float));
    }

    [[nodiscard]] const LoopOrder& order() const { return shape_.order; }
    [[nodiscard]] const std::optional<TileChoice>& tile() const { return shape_.tile; }
    [[nodiscard]] bool overwrites() const { return tile() && overwrites_output(order(), *tile()); }

    void append(Body& body, const Work& work, std::size_t depth) const {
        if (const OrderedLoop* walk = walk_to_test(work, depth)) {
            IfStored stored{walk->level, walk->parent, {}};
            Work tested = work;
            tested.tested = walk;
            append(stored.body, tested, depth);
            body.push_back({std::move(stored)});
        } else if (tile() && depth == tile()->depth && !work.update.into_tile) {
            append_tile(body, work, 0);
        } else if (depth == work.loops.size()) {
            body.push_back({work.update});
        } else {
            append_loop(body, work, depth);
        }
    }

    /// The compressed loop that an otherwise idle part of the nest waits for: dense loops, or a tile that
    /// adds to C. Null where it is tested, can't be empty, or something is to do for an empty one.
    [[nodiscard]] const OrderedLoop* walk_to_test(const Work& work, std::size_t depth) const {
        std::size_t inside = depth;
        while (inside < work.loops.size() && work.loops[inside].kind == LoopKind::Dense)
            ++inside;
        const bool begins_tile = tile() && tile()->depth >= depth && tile()->depth <= inside;
        if (inside == work.loops.size() || (inside == depth && !begins_tile) || (begins_tile && overwrites()))
            return nullptr;
        const OrderedLoop& walk = order().loops[inside];
        const bool is_tested = work.tested == &walk || work.update.into_tile;
        return walk.kind == LoopKind::Compressed && !is_tested && may_be_empty(walk.level) ? &walk : nullptr;
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
        const bool is_innermost = depth + 1 == work.loops.size();
        loop.vectorised = shape_.vectorised && is_innermost;
        loop.sunk = is_innermost && !shape_.sunk.empty();
        loop.tile_axis = shape_.is_axis(depth);
        loop.unrolled = depth >= shape_.unrolled_from && !loop.tile_axis && !loop.vectorised;
        if (loop.vectorised && loop.clip) {
            append_both_extents(body, work, depth, [this, depth](Body& to, const Work& unclipped) {
                append_loop(to, unclipped, depth);
            });
            return;
        }
        append(loop.body, work, depth + 1);
        body.push_back({std::move(loop)});
    }

    /// What a clipped loop is in, once for all blocks but the last and once for that, each with a constant
    /// extent.
    template <typename Append>
    static void append_both_extents(Body& body, const Work& work, std::size_t depth, const Append& append) {
        const Clip clip = *work.loops[depth].clip;
        Work unclipped = work;
        unclipped.loops[depth].clip.reset();
        Branch branch{clip.outer, clip.last, {}, {}};
        append(branch.full, unclipped);
        unclipped.loops[depth].extent = clip.remainder;
        append(branch.remainder, unclipped);
        body.push_back({std::move(branch)});
    }

    /// A position of a compressed level has something below it.
    [[nodiscard]] bool may_be_empty(std::size_t level) const {
        return level > 0 && storage_.levels[level - 1].format == LevelFormat::Uncompressed &&
               storage_.levels[level - 1].extent > 1;
    }

    /// A clipped axis becomes a branch between two tiles, each with a constant extent.
    void append_tile(Body& body, const Work& work, std::size_t first_axis) const {
        for (std::size_t at = first_axis; at < tile()->axes.size(); ++at)
            if (work.loops[tile()->axes[at]].clip) {
                append_both_extents(
                    body, work, tile()->axes[at],
                    [this, at](Body& to, const Work& unclipped) { append_tile(to, unclipped, at + 1); });
                return;
            }
        append_strips(body, work);
    }

    /// Cuts the innermost axis j into j = strip · js + j, with a tile for each js.
    void append_strips(Body& body, const Work& work) const {
        const std::int64_t extent = work.loops.back().extent;
        const std::int64_t count = strip_count(*tile(), extent);
        if (count == 1) {
            append_registers(body, work);
            return;
        }
        Loop strips;
        strips.coordinate = strips_;
        strips.extent = count;
        strips.strip = strip_width(*tile(), extent);
        Work cut = work;
        OrderedLoop& innermost = cut.loops.back();
        innermost.extent = strips.strip;
        const auto cut_address = [&](Access& access) {
            const std::int64_t factor = access.offset.factor_of(innermost.coordinate);
            if (factor != 0)
                access.offset = access.offset + Affine::of(strips_) * (factor * strips.strip);
        };
        cut_address(cut.update.target);
        std::ranges::for_each(cut.update.factors, cut_address);
        if (const std::int64_t remainder = extent % strips.strip; remainder == 0) {
            append_registers(strips.body, cut);
        } else {
            innermost.clip = Clip{strips_, count - 1, remainder};
            append_both_extents(strips.body, cut, cut.loops.size() - 1,
                                [this](Body& to, const Work& unclipped) { append_registers(to, unclipped); });
        }
        body.push_back({std::move(strips)});
    }

    void append_registers(Body& body, const Work& work) const {
        Tile block;
        for (const std::size_t depth : tile()->axes) {
            const bool vectorised = tile()->vectorised_axis && depth + 1 == work.loops.size();
            block.axes.push_back({work.loops[depth].coordinate, work.loops[depth].extent, vectorised});
        }
        block.target = work.update.target;
        block.overwrites = overwrites();
        block.streams = block.overwrites && exceeds_caches_;
        Work inside{work.loops, {true, {}, {}}, nullptr};
        for (const Access& factor : work.update.factors)
            (changes_in_tile(factor) ? inside.update.factors : block.scale).push_back(factor);
        const bool sums_lanes = shape_.vectorised && !tile()->vectorised_axis;
        block.begins_with_output = !block.overwrites && block.scale.empty() && !sums_lanes;
        append(block.body, inside, tile()->depth);
        body.push_back({std::move(block)});
    }

    /// Whether a reduction loop of the tile moves the access; what no such loop moves can be multiplied in at
    /// the end.
    [[nodiscard]] bool changes_in_tile(const Access& access) const {
        for (std::size_t depth = tile()->depth; depth < order().loops.size(); ++depth) {
            const OrderedLoop& loop = order().loops[depth];
            if (shape_.is_axis(depth))
                continue;
            if (access.offset.factor_of(loop.coordinate) != 0 ||
                (loop.position >= 0 && access.offset.factor_of(loop.position) != 0))
                return true;
        }
        return false;
    }

    LoopShape shape_;
    Operator op_;
    const StorageFormat& storage_;
    bool exceeds_caches_;
    Variable strips_ = -1; ///< the number of a strip
};

} // namespace

LoopNest lower(const SuperSchedule& schedule, const Extents& extents, const KernelTarget& target,
               const MeanFill& fill) {
    LoopNest nest;
    nest.op = schedule.op;
    nest.extents = extents;
    nest.storage = storage_format(schedule, extents);
    nest.fill = fill;
    nest.chunk = schedule.chunk;
    Lowering lowering(shape_loops(order_loops(schedule, extents, nest.storage), target, fill), nest, target);
    nest.body = lowering.run();
    nest.variables = std::move(lowering).variables();
    return nest;
}

} // namespace sparsight
