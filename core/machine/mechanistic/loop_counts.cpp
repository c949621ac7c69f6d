#include "machine/mechanistic/loop_counts.h"

#include "kernel/register_tile.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// What the loads are of the time of a tile's multiply-adds, where each needs one. Chosen by calibrations to
/// 118 matrices on a processor with vectors of 16 numbers: on matrices that they had not seen the best of
/// five was 2.3 % slower than the best of all with 0.7, 2.4 % with 0.5 and 4.7 % with 0, as if loads were
/// free.
constexpr double load_share = 0.7;

/// Adds up what one shape of code does.
class InstructionCounter {
public:
    InstructionCounter(const LoopCounts& loops, const KernelTarget& target, std::int64_t unrolled_extent)
        : loops_(loops)
        , target_(target)
        , tile_(tile_of(loops, target))
        , strips_(tile_ && tile_->strip > 0 ? static_cast<double>(loops.order.loops.back().extent) /
                                                  static_cast<double>(tile_->strip)
                                            : 1)
        , unrolled_(loops.order.loops.back().kind == LoopKind::Dense &&
                    loops.innermost_extent <= unrolled_extent)
        , vectorised_(!unrolled_ && is_vectorisable(loops.order)) {}

    InstructionCounts run() {
        for (std::size_t depth = 0; depth < loops_.order.loops.size(); ++depth)
            add_loop(depth);
        add_innermost();
        add_tile();
        counts_.clears_output = !tile_ || !overwrites_output(loops_.order, *tile_, loops_.op);
        counts_.fills_output_lines = !counts_.clears_output && fills_lines();
        return counts_;
    }

private:
    /// Without registers for a block of C there is still one for an element that only reductions add to.
    static std::optional<TileChoice> tile_of(const LoopCounts& loops, const KernelTarget& target) {
        if (target.accumulator_limit > 0)
            return choose_tile(loops.order, target);
        auto choice = choose_tile(loops.order, {target.lanes, 1});
        return choice && choice->axes.empty() ? choice : std::nullopt;
    }

    [[nodiscard]] double entries(std::size_t depth) const {
        return depth == 0 ? 1 : loops_.iterations[depth - 1];
    }
    [[nodiscard]] bool is_axis(std::size_t depth) const {
        return tile_ && std::ranges::find(tile_->axes, depth) != tile_->axes.end();
    }

    /// As the printer asks before it stores past the caches (LlvmPrinter::fills_cache_lines).
    [[nodiscard]] bool fills_lines() const {
        constexpr std::int64_t line_floats = 16;
        return loops_.op == Operator::SpMM && target_.accumulator_limit > 0 && tile_->vectorised_axis &&
               loops_.order.loops[tile_->axes.back()].extent % line_floats == 0;
    }

    void add_loop(std::size_t depth) {
        const bool innermost = depth + 1 == loops_.order.loops.size();
        if (is_axis(depth))
            return;
        if (innermost && unrolled_) {
            add_loop_around_unrolled(depth);
            return;
        }
        const double repeats = tile_ && depth >= tile_->depth ? strips_ : 1;
        if (innermost && vectorised_) {
            counts_.vector_starts += entries(depth) * repeats;
            return;
        }
        const bool compressed = loops_.order.loops[depth].kind == LoopKind::Compressed;
        (compressed ? counts_.compressed_starts : counts_.dense_starts) += entries(depth) * repeats;
        (compressed ? counts_.compressed_iterations : counts_.dense_iterations) +=
            loops_.iterations[depth] * repeats;
        // The tile's outermost loop runs strip after strip over the same positions.
        const bool runs_alike = tile_ && depth == tile_->depth;
        counts_.mispredicted_exits +=
            entries(depth) * loops_.irregularity[depth] * (runs_alike ? 1 : repeats);
    }

    /// Where the order has fused it with the unrolled one, it is a loop of its own in that code.
    void add_loop_around_unrolled(std::size_t depth) {
        if (loops_.order.loops[depth].extent <= loops_.innermost_extent)
            return;
        counts_.dense_starts += entries(depth);
        counts_.dense_iterations += loops_.iterations[depth] / static_cast<double>(loops_.innermost_extent);
    }

    void add_innermost() {
        const std::size_t last = loops_.order.loops.size() - 1;
        if (!vectorised_) {
            (tile_ ? counts_.tiled_scalars : counts_.updated_scalars) += loops_.iterations[last];
            return;
        }
        const double starts = entries(last);
        const double extent = starts > 0 ? loops_.iterations[last] / starts : 0;
        const double vectors = starts * std::ceil(extent / target_.lanes);
        if (tile_)
            counts_.tiled_vectors += vectors * (1 - load_share + load_share * loads_of_a_multiply_add());
        else
            counts_.updated_vectors += vectors;
    }

    /// How many vectors are loaded for each multiply-add of the tile: what all of its rows are multiplied by
    /// is loaded once. Single numbers that stand for a whole vector belong to the loop that finds them.
    [[nodiscard]] double loads_of_a_multiply_add() const {
        if (!tile_->vectorised_axis) // a vectorised reduction: nothing is multiplied twice
            return 1;
        double multiply_adds = 1;
        for (const std::size_t axis : tile_->axes)
            multiply_adds *= tile_extent(axis);
        double loads = 0;
        for (const Access& factor : loops_.order.factors)
            if (depends_on(factor, tile_->axes.back())) {
                double of_factor = 1;
                for (const std::size_t axis : tile_->axes)
                    of_factor *= depends_on(factor, axis) ? tile_extent(axis) : 1;
                loads += of_factor;
            }
        return loads / multiply_adds;
    }

    [[nodiscard]] bool depends_on(const Access& factor, std::size_t axis) const {
        return factor.offset.factor_of(loops_.order.loops[axis].coordinate) != 0;
    }

    /// Of one axis, in vectors along the lanes, of one strip.
    [[nodiscard]] double tile_extent(std::size_t axis) const {
        const bool along_lanes = tile_->vectorised_axis && axis == tile_->axes.back();
        const std::int64_t extent =
            along_lanes && tile_->strip > 0 ? tile_->strip : loops_.order.loops[axis].extent;
        return along_lanes ? std::ceil(static_cast<double>(extent) / target_.lanes)
                           : static_cast<double>(extent);
    }

    void add_tile() {
        if (!tile_)
            return;
        double vectors = 1;
        for (const std::size_t axis : tile_->axes) {
            const auto extent = static_cast<double>(loops_.order.loops[axis].extent);
            const bool along_lanes = tile_->vectorised_axis && axis == tile_->axes.back();
            vectors *= along_lanes ? std::ceil(extent / target_.lanes) : extent;
        }
        counts_.tile_vectors += entries(tile_->depth) * vectors;
    }

    const LoopCounts& loops_;
    const KernelTarget& target_;
    std::optional<TileChoice> tile_;
    double strips_;
    bool unrolled_; ///< the innermost loop, by the compiler
    bool vectorised_;
    InstructionCounts counts_;
};

/// The last iteration of an outer part may leave less to the inner one.
double mean_extent(const OrderedLoop& loop) {
    const auto extent = static_cast<double>(loop.extent);
    if (!loop.clip)
        return extent;
    const auto whole = static_cast<double>(loop.clip->last);
    return (whole * extent + static_cast<double>(loop.clip->remainder)) / (whole + 1);
}

std::int64_t innermost_extent(const SuperSchedule& schedule, const Extents& extents) {
    std::int64_t innermost = 1;
    for (const LoopIndex loop : schedule.loops())
        if (schedule.has(loop)) {
            const std::int64_t extent = extents[loop.index];
            const std::int64_t split = std::min(schedule.split(loop.index), extent);
            innermost = loop.part == Part::Outer ? (extent + split - 1) / split : split;
        }
    return innermost;
}

} // namespace

LoopCounts count_loops(const SuperSchedule& schedule, const Extents& extents, const StorageFormat& storage,
                       const StorageSize& size, std::int64_t nnz, std::span<const double> irregularity) {
    LoopCounts counts{schedule.op, order_loops(schedule, extents, storage), {},
                      {},          innermost_extent(schedule, extents),     0};
    double dense = 1;
    double in_a_row = 1; // entries of a loop over A's next level that find the same positions
    for (const OrderedLoop& loop : counts.order.loops) {
        const double outside = counts.iterations.empty() ? 1 : counts.iterations.back();
        const bool compressed = loop.kind == LoopKind::Compressed;
        counts.irregularity.push_back(compressed ? irregularity[loop.level] / in_a_row : 0);
        in_a_row = loop.kind == LoopKind::Dense ? in_a_row * mean_extent(loop) : 1;
        if (loop.kind == LoopKind::Dense)
            dense *= mean_extent(loop);
        if (compressed)
            counts.iterations.push_back(static_cast<double>(size.positions[loop.level]) * dense);
        else
            counts.iterations.push_back(outside * mean_extent(loop));
    }
    const auto stored = static_cast<double>(size.positions.back());
    counts.fill_in = stored > 0 ? std::max(0.0, 1 - static_cast<double>(nnz) / stored) : 0;
    return counts;
}

InstructionCounts count_instructions(const LoopCounts& loops, const KernelTarget& target,
                                     std::int64_t unrolled_extent) {
    if (loops.order.loops.empty())
        return {};
    return InstructionCounter(loops, target, unrolled_extent).run();
}

} // namespace sparsight
