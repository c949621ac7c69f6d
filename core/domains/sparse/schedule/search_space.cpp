#include "domains/sparse/schedule/search_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

namespace sparsight {

namespace {

constexpr std::uint64_t chunk_choices = std::countr_zero(static_cast<unsigned>(largest_chunk)) + 1;

/// How often each of indices(op) occurs among the loops still to be placed.
struct Remaining {
    std::array<unsigned, most_indices> of_index{};
    unsigned loops = 0;
};

/// Outer before inner is the only rule, so an order is an arrangement of index letters in which the first of
/// two equal letters is the outer loop.
std::uint64_t arrangements(const Remaining& remaining) {
    std::uint64_t count = 1;
    for (std::uint64_t loop = 2; loop <= remaining.loops; ++loop)
        count *= loop;
    for (const unsigned letters : remaining.of_index)
        count >>= letters == 2 ? 1U : 0U;
    return count;
}

Remaining loops_with(Operator op, unsigned split_indices) {
    Remaining remaining;
    for (std::size_t i = 0; i < indices(op).size(); ++i)
        remaining.loops += remaining.of_index[i] = 1 + ((split_indices >> i) & 1U);
    return remaining;
}

LoopList arrangement(Operator op, Remaining remaining, std::uint64_t rank) {
    const auto all = remaining.of_index;
    LoopList loops;
    for (std::uint64_t count = arrangements(remaining); remaining.loops > 0; --remaining.loops) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            unsigned& letters = remaining.of_index[i];
            const std::uint64_t below = count * letters / remaining.loops; // that begin with this letter
            if (rank < below) {
                loops.push_back({indices(op)[i], letters == all[i] ? Part::Outer : Part::Inner});
                --letters;
                count = below;
                break;
            }
            rank -= below;
        }
    }
    return loops;
}

/// Reads a number as digits of changing base.
class Digits {
public:
    explicit Digits(std::uint64_t number)
        : rest_(number) {}
    std::uint64_t next(std::uint64_t base) {
        // A rank below size() never splits an index that has no split to choose.
        const std::uint64_t digit = rest_ % base; // NOLINT(clang-analyzer-core.DivideZero)
        rest_ /= base;
        return digit;
    }

private:
    std::uint64_t rest_;
};

} // namespace

SearchSpace::SearchSpace(Operator op, const Extents& extents, int threads)
    : op_(op)
    , threads_(threads) {
    for (std::size_t i = 0; i < indices(op).size(); ++i) {
        const std::int64_t largest = std::clamp<std::int64_t>(extents[indices(op)[i]], 1, maximum_split);
        splits_[i] = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(largest)) - 1);
    }
}

std::uint64_t SearchSpace::size_with(unsigned split_indices) const {
    std::uint64_t count =
        arrangements(loops_with(op_, split_indices)) * parallel_loops(op_).size() * chunk_choices;
    for (std::size_t i = 0; i < indices(op_).size(); ++i) {
        const bool split = ((split_indices >> i) & 1U) != 0;
        if (split)
            count *= splits_[i];
        if (is_sparse_index(op_, indices(op_)[i]))
            count *= split ? 4 : 2;
    }
    return count;
}

std::uint64_t SearchSpace::size() const {
    std::uint64_t total = 0;
    for (unsigned split_indices = 0; split_indices < 1U << indices(op_).size(); ++split_indices)
        total += size_with(split_indices);
    return total;
}

SuperSchedule SearchSpace::at(std::uint64_t rank) const {
    unsigned split_indices = 0;
    for (; rank >= size_with(split_indices); ++split_indices)
        rank -= size_with(split_indices);

    Digits digits(rank);
    SuperSchedule schedule(op_);
    schedule.threads = threads_;
    schedule.formats.fill(LevelFormat::Uncompressed);
    for (std::size_t i = 0; i < indices(op_).size(); ++i)
        if (((split_indices >> i) & 1U) != 0)
            schedule.split(indices(op_)[i]) = std::int64_t{2} << digits.next(splits_[i]);
    for (const LoopIndex level : level_names(op_))
        if (schedule.has(level))
            schedule.format(level) = static_cast<LevelFormat>(digits.next(2));
    const LoopList& parallel = parallel_loops(op_);
    schedule.parallel = parallel[digits.next(parallel.size())];
    schedule.chunk = 1 << digits.next(chunk_choices);
    const Remaining loops = loops_with(op_, split_indices);
    set_existing_loops(schedule, arrangement(op_, loops, digits.next(arrangements(loops))));
    return schedule;
}

namespace {

class Neighbourhood {
public:
    explicit Neighbourhood(const SuperSchedule& start)
        : start_(canonical(start)) {}

    void change_splits(const Extents& extents) {
        for (const Index index : indices(start_.op)) {
            const std::int64_t split = start_.split(index);
            if (split < extents[index] && split <= maximum_split / 2)
                add_split(index, split * 2);
            if (split > 1)
                add_split(index, split / 2);
        }
    }

    void flip_formats() {
        for (const LoopIndex level : level_names(start_.op)) {
            if (!start_.has(level))
                continue;
            LevelFormat& format = found_.emplace_back(start_).format(level);
            format = format == LevelFormat::Compressed ? LevelFormat::Uncompressed : LevelFormat::Compressed;
        }
    }

    void swap_loops() {
        const LoopList loops = existing_loops(start_);
        for (std::size_t depth = 0; depth + 1 < loops.size(); ++depth) {
            if (loops[depth].index == loops[depth + 1].index)
                continue;
            LoopList swapped = loops;
            std::swap(swapped[depth], swapped[depth + 1]);
            set_existing_loops(found_.emplace_back(start_), swapped);
        }
    }

    void change_parallelism() {
        for (const LoopIndex loop : parallel_loops(start_.op))
            if (loop != start_.parallel)
                found_.emplace_back(start_).parallel = loop;
        if (start_.chunk <= largest_chunk / 2)
            found_.emplace_back(start_).chunk = start_.chunk * 2;
        if (start_.chunk > 1)
            found_.emplace_back(start_).chunk = start_.chunk / 2;
    }

    std::vector<SuperSchedule> take() { return std::move(found_); }

private:
    void add_split(Index index, std::int64_t split) {
        SuperSchedule changed = start_;
        changed.split(index) = split;
        found_.push_back(canonical(changed));
    }

    SuperSchedule start_;
    std::vector<SuperSchedule> found_;
};

} // namespace

std::vector<SuperSchedule> neighbours(const SuperSchedule& schedule, const Extents& extents) {
    Neighbourhood neighbourhood(schedule);
    neighbourhood.change_splits(extents);
    neighbourhood.flip_formats();
    neighbourhood.swap_loops();
    neighbourhood.change_parallelism();
    return neighbourhood.take();
}

std::optional<SuperSchedule> mixture(const SuperSchedule& one, const SuperSchedule& other, Random& random) {
    SuperSchedule child = one;
    const auto take_from_other = [&] { return random.chance(0.5); };
    if (take_from_other())
        child.order = other.order;
    for (std::size_t index = 0; index < child.splits.size(); ++index)
        if (take_from_other())
            child.splits[index] = other.splits[index];
    for (std::size_t level = 0; level < child.formats.size(); ++level)
        if (take_from_other())
            child.formats[level] = other.formats[level];
    if (take_from_other())
        child.parallel = other.parallel;
    if (take_from_other())
        child.chunk = other.chunk;
    child = canonical(child);
    return check(child) ? std::optional(child) : std::nullopt;
}

namespace {

using enum LevelFormat;

/// Rows that a thread takes at a time: few for balance, many where little is to be balanced.
constexpr std::array<std::int64_t, 5> rows_at_a_time{16, 32, 128, 512, 2048};
constexpr std::array<std::int64_t, 5> strips{1, 16, 32, 64, 128};

class Designs {
public:
    Designs(Operator op, const Extents& extents, int threads)
        : op_(op)
        , extents_(extents)
        , threads_(threads)
        , row_(row_index(op))
        , column_(column_index(op))
        , dense_(dense_index(op)) {
        seen_.insert(canonical(fixed_csr(op, threads)));
    }

    std::vector<SuperSchedule> run() {
        for (const std::int64_t rows : {1, 2, 4, 8, 16, 32})
            add({Place::RowOuter, Place::Strip, Place::RowInner, Place::Between, Place::ColumnOuter,
                 Place::ColumnInner},
                rows, 1, {Uncompressed, Compressed, Uncompressed});
        for (const std::int64_t rows : {2, 4, 8, 16})
            for (const std::int64_t columns : {1, 2, 4})
                add({Place::RowOuter, Place::Strip, Place::Between, Place::ColumnOuter, Place::ColumnInner,
                     Place::RowInner},
                    rows, columns, {Uncompressed, Compressed, Uncompressed});
        for (const std::int64_t rows : {16, 64, 256, 1024})
            for (const std::int64_t columns : {16, 64, 128, 256, 1024, 4096})
                for (const LevelFormat panels : {Compressed, Uncompressed})
                    for (const LevelFormat inside : {Compressed, Uncompressed})
                        add({Place::RowOuter, Place::ColumnOuter, Place::Strip, Place::RowInner,
                             Place::Between, Place::ColumnInner},
                            rows, columns, {inside, panels, Compressed});
        return std::move(designs_);
    }

private:
    /// Of a design, outermost first; the inner part of the dense index is always innermost. Between stands
    /// for the indices of A between its first and its last one, which are never split.
    enum class Place : std::uint8_t { RowOuter, RowInner, Between, ColumnOuter, ColumnInner, Strip };
    using Places = std::array<Place, 6>;

    struct Formats {
        LevelFormat row_inner;
        LevelFormat column_outer;
        LevelFormat column_inner;
    };

    [[nodiscard]] std::int64_t extent(Index index) const { return extents_[index]; }

    /// In all strips and chunks. Splits that cover the whole matrix are the same as smaller ones: left out.
    void add(const Places& places, std::int64_t rows, std::int64_t columns, const Formats& formats) {
        if ((rows > 1 && rows >= extent(row_)) || (columns > 1 && columns >= extent(column_)))
            return;
        for (const std::int64_t strip : strips) {
            if (strip > 1 && (!dense_ || strip >= extent(*dense_)))
                continue;
            for (const std::int64_t at_a_time : rows_at_a_time)
                add(places, rows, columns, strip, formats,
                    std::clamp<std::int64_t>(at_a_time / rows, 1, largest_chunk));
        }
    }

    void add(const Places& places, std::int64_t rows, std::int64_t columns, std::int64_t strip,
             const Formats& formats, std::int64_t chunk) {
        SuperSchedule schedule = fixed_csr(op_, threads_);
        schedule.split(row_) = rows;
        schedule.split(column_) = columns;
        if (dense_)
            schedule.split(*dense_) = strip;
        schedule.format({row_, Part::Inner}) = formats.row_inner;
        schedule.format({column_, Part::Outer}) = formats.column_outer;
        schedule.format({column_, Part::Inner}) = formats.column_inner;
        schedule.order = loops_at(places, strip > 1);
        schedule.chunk = static_cast<int>(chunk);
        schedule = canonical(schedule);
        if (check(schedule) && seen_.insert(schedule).second)
            designs_.push_back(schedule);
    }

    [[nodiscard]] LoopList loops_at(const Places& places, bool has_strips) const {
        LoopList loops;
        for (const Place place : places) {
            switch (place) {
            case Place::RowOuter:
                loops.push_back({row_, Part::Outer});
                break;
            case Place::RowInner:
                loops.push_back({row_, Part::Inner});
                break;
            case Place::Between:
                for (const LoopIndex loop : level_names(op_))
                    if (loop.index != row_ && loop.index != column_)
                        loops.push_back(loop);
                break;
            case Place::ColumnOuter:
                loops.push_back({column_, Part::Outer});
                break;
            case Place::ColumnInner:
                loops.push_back({column_, Part::Inner});
                break;
            case Place::Strip:
                if (has_strips)
                    loops.push_back({*dense_, Part::Outer});
                break;
            }
        }
        for (const Index dense : dense_indices(op_)) { // what is not cut into strips is innermost
            if (dense != dense_ || !has_strips)
                loops.push_back({dense, Part::Outer});
            loops.push_back({dense, Part::Inner});
        }
        return loops;
    }

    Operator op_;
    const Extents& extents_;
    int threads_;
    Index row_;
    Index column_;
    std::optional<Index> dense_;
    std::unordered_set<SuperSchedule> seen_;
    std::vector<SuperSchedule> designs_;
};

} // namespace

std::vector<SuperSchedule> designed_schedules(Operator op, const Extents& extents, int threads) {
    return Designs(op, extents, threads).run();
}

} // namespace sparsight
