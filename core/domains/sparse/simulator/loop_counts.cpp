#include "domains/sparse/simulator/loop_counts.h"

#include "domains/sparse/kernel/storage/coordinate_order.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

/// Of a level's coordinates the first `length` of every `spacing`.
struct Windows {
    std::int64_t spacing = 1;
    std::int64_t length = 1;

    [[nodiscard]] bool are_all() const { return length >= spacing; }
    [[nodiscard]] bool contain(std::int64_t coordinate) const { return coordinate % spacing < length; }
    /// Of a coordinate among those that the windows contain.
    [[nodiscard]] std::int64_t place(std::int64_t coordinate) const {
        return are_all() ? coordinate : coordinate / spacing * length + coordinate % spacing;
    }
};

Windows windows(std::int64_t extent, double share) {
    if (share >= 1 || extent <= 1)
        return {};
    constexpr std::int64_t most_windows = 8;
    const auto kept = std::max<std::int64_t>(1, std::llround(std::ceil(static_cast<double>(extent) * share)));
    const std::int64_t number = std::min(most_windows, kept);
    return {extent / number, kept / number};
}

/// Entries below some coordinates of the two outermost levels.
class Sample {
public:
    Sample(const StorageFormat& format, const CsrPattern& pattern, std::int64_t most_entries)
        : format_(format)
        , layout_(key_layout(format, 0)) {
        double share = static_cast<double>(most_entries) / static_cast<double>(pattern.nnz());
        for (std::size_t l = 0; l < windows_.size() && l < format.levels.size(); ++l) {
            constexpr double enough = 0.5; // no more than twice as many as asked for
            if (share >= enough)
                break;
            windows_[l] = windows(format.levels[l].extent, share);
            share *= static_cast<double>(windows_[l].spacing) / static_cast<double>(windows_[l].length);
        }
        collect(pattern);
        if (layout_.levels_to_sort > 0)
            std::ranges::sort(keys_);
    }

    [[nodiscard]] const KeyLayout& layout() const { return layout_; }
    /// In the order of the format's loops.
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return keys_; }
    /// Whether the loops over a level are there as a whole.
    [[nodiscard]] bool has_whole_loops(std::size_t level) const {
        return level >= windows_.size() || windows_[level].are_all();
    }
    /// Numbers of an uncompressed level's coordinates: those that are looked at, and of a key.
    [[nodiscard]] std::int64_t extent(std::size_t level) const {
        const std::int64_t extent = format_.levels[level].extent;
        if (has_whole_loops(level))
            return extent;
        const Windows& of_level = windows_[level];
        return extent / of_level.spacing * of_level.length +
               std::min(extent % of_level.spacing, of_level.length);
    }
    [[nodiscard]] std::int64_t place(std::size_t level, std::uint64_t key) const {
        const std::int64_t coordinate = layout_.fields[level].coordinate(key);
        return level < windows_.size() ? windows_[level].place(coordinate) : coordinate;
    }

private:
    /// Of a row's id, or of a column's: whether the two outermost levels look at it.
    [[nodiscard]] std::vector<bool> looked_at(bool rows) const {
        std::vector<bool> result(static_cast<std::size_t>(rows ? format_.rows() : format_.cols()), true);
        const AxisKey& axis = layout_.axes[rows ? 0 : 1];
        for (std::size_t l = 0; l < windows_.size() && l < format_.levels.size(); ++l)
            if (format_.levels[l].is_row() == rows && !windows_[l].are_all())
                for (std::size_t id = 0; id < result.size(); ++id)
                    if (!windows_[l].contain(
                            layout_.fields[l].coordinate(axis.key(static_cast<std::uint32_t>(id)))))
                        result[id] = false;
        return result;
    }

    void collect(const CsrPattern& pattern) {
        const std::vector<bool> rows = looked_at(true);
        const std::vector<bool> columns = looked_at(false);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!rows[row])
                continue;
            const std::uint64_t of_row = layout_.axes[0].key(static_cast<std::uint32_t>(row));
            for (auto at = pattern.row_pointers[row]; at < pattern.row_pointers[row + 1]; ++at) {
                const auto column =
                    static_cast<std::uint32_t>(pattern.column_ids[static_cast<std::size_t>(at)]);
                if (columns[column])
                    keys_.push_back(of_row | layout_.axes[1].key(column));
            }
        }
    }

    const StorageFormat& format_;
    KeyLayout layout_;
    std::array<Windows, 2> windows_;
    std::vector<std::uint64_t> keys_;
};

/// Counts the loops that differ from the one before; loops are given in order, without empty ones.
class UnlikeLoops {
public:
    void add(std::int64_t place, std::int64_t iterations) {
        if (place == next_)
            unlike_ += place > 0 && iterations != iterations_before_ ? 1 : 0;
        else
            unlike_ += next_ > 0 ? 2 : 1; // the first empty one, if there was a loop before it, and this one
        next_ = place + 1;
        iterations_before_ = iterations;
    }
    /// The share among `loops` loops.
    [[nodiscard]] double share(std::int64_t loops) const {
        const std::int64_t unlike = unlike_ + (next_ > 0 && next_ < loops ? 1 : 0);
        return loops > 0 ? static_cast<double>(unlike) / static_cast<double>(loops) : 0;
    }

private:
    std::int64_t next_ = 0; ///< place after the last loop that was told
    std::int64_t iterations_before_ = 0;
    std::int64_t unlike_ = 0;
};

double irregularity_of(std::size_t level, const StorageFormat& format, const Sample& sample) {
    // The loop is entered for each coordinate that the last compressed level above stores, and for all of the
    // uncompressed levels between.
    std::size_t dense_from = level;
    std::int64_t entered_for_stored = 1;
    while (dense_from > 0 && format.levels[dense_from - 1].format == LevelFormat::Uncompressed)
        entered_for_stored *= sample.extent(--dense_from);
    const auto prefix = [&](std::uint64_t key, std::size_t levels) {
        return levels == 0 ? 0 : key >> sample.layout().fields[levels - 1].shift;
    };

    UnlikeLoops loops;
    std::int64_t stored = 0;
    std::int64_t iterations = 0;
    std::int64_t place = 0;
    for (std::size_t at = 0; at < sample.keys().size(); ++at) {
        const std::uint64_t key = sample.keys()[at];
        const bool is_first = at == 0;
        const std::uint64_t before = is_first ? key : sample.keys()[at - 1];
        if (is_first || prefix(key, level) != prefix(before, level)) {
            if (!is_first)
                loops.add(place, iterations);
            if (prefix(key, dense_from) != prefix(before, dense_from))
                ++stored;
            place = 0;
            for (std::size_t dense = dense_from; dense < level; ++dense)
                place = place * sample.extent(dense) + sample.place(dense, key);
            place += stored * entered_for_stored;
            iterations = 1;
        } else if (prefix(key, level + 1) != prefix(before, level + 1)) {
            ++iterations;
        }
    }
    loops.add(place, iterations);
    return loops.share((stored + 1) * entered_for_stored);
}

} // namespace

std::vector<double> loop_irregularity(const StorageFormat& format, const CsrPattern& pattern,
                                      std::int64_t most_entries) {
    constexpr int bits_of_key = 64;
    std::vector<double> shares(format.levels.size(), 0.0);
    const bool has_loops_to_compare =
        std::ranges::find(format.levels.begin() + 1, format.levels.end(), LevelFormat::Compressed,
                          &StorageLevel::format) != format.levels.end();
    if (!has_loops_to_compare || pattern.nnz() == 0 || coordinate_bits(format) >= bits_of_key)
        return shares;
    const Sample sample(format, pattern, most_entries);
    if (sample.keys().empty())
        return shares;
    for (std::size_t l = 1; l < format.levels.size(); ++l)
        if (format.levels[l].format == LevelFormat::Compressed && sample.has_whole_loops(l))
            shares[l] = irregularity_of(l, format, sample);
    return shares;
}

namespace {

/// What the loads are of the time of a tile's multiply-adds, where each needs one. Chosen by calibrations to
/// 118 matrices on a processor with vectors of 16 numbers: on matrices that they had not seen the best of
/// five was 2.3 % slower than the best of all with 0.7, 2.4 % with 0.5 and 4.7 % with 0, as if loads were
/// free.
constexpr double load_share = 0.7;

InstructionCounts& operator+=(InstructionCounts& sum, const InstructionCounts& more) {
    for (const InstructionKind& kind : instruction_kinds)
        sum.*kind.count += more.*kind.count;
    return sum;
}

/// The last iteration of an outer part may leave less to the inner one.
double mean_extent(const OrderedLoop& loop) {
    const auto extent = static_cast<double>(loop.extent);
    if (!loop.clip)
        return extent;
    const auto whole = static_cast<double>(loop.clip->last);
    return (whole * extent + static_cast<double>(loop.clip->remainder)) / (whole + 1);
}

/// As they are when some loops have become the innermost one.
LoopCounts sunk(const LoopCounts& loops, const LoopShape& shape) {
    LoopCounts result = loops;
    result.order = shape.order;
    result.iterations.clear();
    result.irregularity.clear();
    double outside = 1;  // iterations of sunk loops
    double in_a_row = 1; // of those directly outside, which found the same positions again
    for (std::size_t depth = 0; depth < loops.order.loops.size(); ++depth) {
        const OrderedLoop& loop = loops.order.loops[depth];
        if (std::ranges::find(shape.sunk, depth) != shape.sunk.end()) {
            outside *= mean_extent(loop);
            in_a_row *= mean_extent(loop);
            continue;
        }
        result.iterations.push_back(loops.iterations[depth] / outside);
        result.irregularity.push_back(loops.irregularity[depth] * in_a_row);
        if (loop.kind != LoopKind::Dense)
            in_a_row = 1;
    }
    result.iterations.push_back(loops.iterations.back());
    result.irregularity.push_back(0);
    return result;
}

/// What is compiled for a target, and how often its loops run.
struct ShapedLoops {
    LoopCounts counts;
    LoopShape shape;

    ShapedLoops(const LoopCounts& loops, const KernelTarget& target)
        : shape(shape_loops(loops.order, target, loops.fill)) {
        counts = shape.sunk.empty() ? loops : sunk(loops, shape);
        if (target.accumulator_limit == 0)
            shape.tile = scalar_tile(shape.order);
    }
};

/// Adds up what one shape of code does.
class InstructionCounter {
public:
    InstructionCounter(const ShapedLoops& shaped, const KernelTarget& target, std::int64_t unrolled_extent)
        : loops_(shaped.counts)
        , shape_(shaped.shape)
        , target_(target)
        , tile_(shaped.shape.tile)
        , strips_(tile_ ? mean_strips() : 1)
        , unrolled_(shape_.sunk.empty() && loops_.order.loops.back().kind == LoopKind::Dense &&
                    loops_.innermost_extent <= unrolled_extent)
        , vectorised_(!unrolled_ && shape_.vectorised) {}

    PlacedInstructions run() {
        placed_.order = loops_.order;
        placed_.iterations = loops_.iterations;
        for (std::size_t depth = 0; depth < loops_.order.loops.size(); ++depth)
            placed_.loops.push_back(of_loop(depth));
        placed_.update = of_innermost();
        placed_.tile = of_tile();
        for (const InstructionCounts& loop : placed_.loops)
            placed_.total += loop;
        placed_.total += placed_.update;
        placed_.total += placed_.tile;
        const auto parallel = std::ranges::find(loops_.order.loops, true, &OrderedLoop::parallel);
        if (parallel != loops_.order.loops.end())
            placed_.total.regions = entries(static_cast<std::size_t>(parallel - loops_.order.loops.begin()));
        placed_.total.sinks = !shape_.sunk.empty();
        placed_.total.clears_output = !tile_ || !overwrites_output(loops_.order, *tile_);
        placed_.total.fills_output_lines = !placed_.total.clears_output && fills_lines();
        return std::move(placed_);
    }

private:
    [[nodiscard]] double mean_strips() const {
        const OrderedLoop& innermost = loops_.order.loops.back();
        const auto whole = static_cast<double>(strip_count(*tile_, innermost.extent));
        if (!innermost.clip)
            return whole;
        const auto last = static_cast<double>(innermost.clip->last);
        return (last * whole + static_cast<double>(strip_count(*tile_, innermost.clip->remainder))) /
               (last + 1);
    }

    [[nodiscard]] double entries(std::size_t depth) const {
        return depth == 0 ? 1 : loops_.iterations[depth - 1];
    }
    /// Of those the ones that find something: an empty walk is seen once, before the strips.
    [[nodiscard]] double entries_of_stored(std::size_t depth) const {
        const OrderedLoop& loop = loops_.order.loops[depth];
        if (loop.kind != LoopKind::Compressed || loop.level >= loops_.fill.size())
            return entries(depth);
        return std::min(entries(depth), loops_.iterations[depth] / std::max(1.0, loops_.fill[loop.level]));
    }

    /// As the printer asks before it stores past the caches (LlvmPrinter::fills_cache_lines).
    [[nodiscard]] bool fills_lines() const {
        constexpr std::int64_t line_floats = 16;
        return loops_.op == Operator::SpMM && target_.accumulator_limit > 0 && tile_->vectorised_axis &&
               loops_.order.loops[tile_->axes.back()].extent % line_floats == 0;
    }

    [[nodiscard]] InstructionCounts of_loop(std::size_t depth) const {
        InstructionCounts counts;
        const bool innermost = depth + 1 == loops_.order.loops.size();
        if (shape_.is_axis(depth))
            return counts;
        if (innermost && unrolled_)
            return of_loop_around_unrolled(depth);
        const double repeats = tile_ && depth >= tile_->depth ? strips_ : 1;
        if (innermost && vectorised_) {
            counts.vector_starts = entries(depth) * repeats;
            return counts;
        }
        if (depth >= shape_.unrolled_from)
            return counts;
        const bool compressed = loops_.order.loops[depth].kind == LoopKind::Compressed;
        (compressed ? counts.compressed_starts : counts.dense_starts) =
            entries(depth) + (repeats - 1) * entries_of_stored(depth);
        (compressed ? counts.compressed_iterations : counts.dense_iterations) =
            loops_.iterations[depth] * repeats;
        // The tile's outermost loop runs strip after strip over the same positions.
        const bool runs_alike = tile_ && depth == tile_->depth;
        counts.mispredicted_exits = entries(depth) * loops_.irregularity[depth] * (runs_alike ? 1 : repeats);
        return counts;
    }

    /// Where the order has fused it with the unrolled one, it is a loop of its own in that code.
    [[nodiscard]] InstructionCounts of_loop_around_unrolled(std::size_t depth) const {
        InstructionCounts counts;
        if (loops_.order.loops[depth].extent <= loops_.innermost_extent)
            return counts;
        counts.dense_starts = entries(depth);
        counts.dense_iterations = loops_.iterations[depth] / static_cast<double>(loops_.innermost_extent);
        return counts;
    }

    [[nodiscard]] InstructionCounts of_innermost() const {
        InstructionCounts counts;
        const std::size_t last = loops_.order.loops.size() - 1;
        if (!vectorised_) {
            (tile_ ? counts.tiled_scalars : counts.updated_scalars) = loops_.iterations[last];
            return counts;
        }
        const double starts = entries(last);
        const double extent = starts > 0 ? loops_.iterations[last] / starts : 0;
        const double vectors = starts * std::ceil(extent / target_.lanes);
        if (tile_)
            counts.tiled_vectors = vectors * (1 - load_share + load_share * loads_of_a_multiply_add());
        else
            counts.updated_vectors = vectors;
        return counts;
    }

    /// The number of vectors loaded for each multiply-add of the tile: a vector that multiplies all of its
    /// rows is loaded once. Single numbers that replace a whole vector belong to the loop that finds them.
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
        const std::int64_t extent = along_lanes ? strip_width(*tile_, loops_.order.loops[axis].extent)
                                                : loops_.order.loops[axis].extent;
        return along_lanes ? std::ceil(static_cast<double>(extent) / target_.lanes)
                           : static_cast<double>(extent);
    }

    [[nodiscard]] InstructionCounts of_tile() const {
        InstructionCounts counts;
        if (!tile_)
            return counts;
        double vectors = 1;
        for (const std::size_t axis : tile_->axes) {
            const auto extent = static_cast<double>(loops_.order.loops[axis].extent);
            const bool along_lanes = tile_->vectorised_axis && axis == tile_->axes.back();
            vectors *= along_lanes ? std::ceil(extent / target_.lanes) : extent;
        }
        // One that is overwritten gets its zeros where nothing is stored.
        const bool overwrites = overwrites_output(loops_.order, *tile_);
        counts.tile_vectors =
            (overwrites ? entries(tile_->depth) : entries_of_stored(tile_->depth)) * vectors;
        return counts;
    }

    const LoopCounts& loops_;
    const LoopShape& shape_;
    const KernelTarget& target_;
    const std::optional<TileChoice>& tile_;
    double strips_;
    bool unrolled_; ///< the innermost loop, by the compiler
    bool vectorised_;
    PlacedInstructions placed_;
};

std::int64_t innermost_extent(const SuperSchedule& schedule, const Extents& extents) {
    std::int64_t innermost = 1;
    for (const LoopIndex loop : schedule.loops())
        if (schedule.has(loop)) {
            const std::int64_t extent = extents[loop.index];
            if (extent == 0)
                return 0;
            const std::int64_t split = std::min(schedule.split(loop.index), extent);
            innermost = loop.part == Part::Outer ? (extent + split - 1) / split : split;
        }
    return innermost;
}

} // namespace

LoopCounts count_loops(const SuperSchedule& schedule, const Extents& extents, const StorageFormat& storage,
                       const StorageSize& size, std::int64_t nnz, std::span<const double> irregularity,
                       MeanFill fill) {
    LoopCounts counts{.op = schedule.op,
                      .order = order_loops(schedule, extents, storage),
                      .iterations = {},
                      .irregularity = {},
                      .innermost_extent = innermost_extent(schedule, extents),
                      .fill_in = 0,
                      .fill = std::move(fill)};
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

PlacedInstructions place_instructions(const LoopCounts& loops, const KernelTarget& target,
                                      std::int64_t unrolled_extent) {
    if (loops.order.loops.empty())
        return {};
    return InstructionCounter(ShapedLoops(loops, target), target, unrolled_extent).run();
}

InstructionCounts count_instructions(const LoopCounts& loops, const KernelTarget& target,
                                     std::int64_t unrolled_extent) {
    return place_instructions(loops, target, unrolled_extent).total;
}

} // namespace sparsight
