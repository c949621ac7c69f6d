#include "domains/sparse/schedule/search_space.h"

#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace sparsight {
namespace {

constexpr std::uint64_t chunk_choices = std::countr_zero(static_cast<unsigned>(largest_chunk)) + 1;

/// How often each of indices(op) occurs among the loops still to be placed.
using Remaining = std::array<unsigned, index_count>;

std::uint64_t factorial(unsigned n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

/// Outer before inner is the only rule, so an order is an arrangement of index letters in which the first of
/// two equal letters is the outer loop.
std::uint64_t arrangements(const Remaining& remaining) {
    std::uint64_t count = factorial(std::accumulate(remaining.begin(), remaining.end(), 0U));
    for (const unsigned letters : remaining)
        count /= factorial(letters);
    return count;
}

Remaining loops_with(Operator op, unsigned split_indices) {
    Remaining remaining{};
    for (std::size_t i = 0; i < indices(op).size(); ++i)
        remaining[i] = 1 + ((split_indices >> i) & 1U);
    return remaining;
}

std::vector<LoopIndex> arrangement(Operator op, Remaining remaining, std::uint64_t rank) {
    const Remaining all = remaining;
    std::vector<LoopIndex> loops(std::accumulate(all.begin(), all.end(), std::size_t{0}));
    for (LoopIndex& loop : loops) {
        for (std::size_t i = 0; i < remaining.size(); ++i) {
            if (remaining[i] == 0)
                continue;
            const Part part = remaining[i] == all[i] ? Part::Outer : Part::Inner;
            --remaining[i];
            const std::uint64_t below = arrangements(remaining);
            if (rank < below) {
                loop = {indices(op)[i], part};
                break;
            }
            rank -= below;
            ++remaining[i];
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
    SuperSchedule schedule;
    schedule.op = op_;
    schedule.threads = threads_;
    schedule.formats.fill(LevelFormat::Uncompressed);
    for (std::size_t i = 0; i < indices(op_).size(); ++i)
        if (((split_indices >> i) & 1U) != 0)
            schedule.splits[static_cast<std::size_t>(indices(op_)[i])] = std::int64_t{2}
                                                                         << digits.next(splits_[i]);
    for (std::size_t level = 0; level < schedule.formats.size(); ++level)
        if (schedule.has({indices(op_)[level / 2], level % 2 == 0 ? Part::Outer : Part::Inner}))
            schedule.formats[level] = static_cast<LevelFormat>(digits.next(2));
    const std::vector<LoopIndex> parallel = parallel_loops(op_);
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
        for (std::size_t level = 0; level < start_.formats.size(); ++level) {
            const Index index = level < 2 ? row_index(start_.op) : column_index(start_.op);
            if (!start_.has({index, level % 2 == 0 ? Part::Outer : Part::Inner}))
                continue;
            SuperSchedule& changed = found_.emplace_back(start_);
            changed.formats[level] = start_.formats[level] == LevelFormat::Compressed
                                         ? LevelFormat::Uncompressed
                                         : LevelFormat::Compressed;
        }
    }

    void swap_loops() {
        const std::vector<LoopIndex> loops = existing_loops(start_);
        for (std::size_t depth = 0; depth + 1 < loops.size(); ++depth) {
            if (loops[depth].index == loops[depth + 1].index)
                continue;
            std::vector<LoopIndex> swapped = loops;
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
        changed.splits[static_cast<std::size_t>(index)] = split;
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
    for (std::size_t index = 0; index < index_count; ++index)
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

} // namespace sparsight
