#include "schedule/search_space.h"

#include "schedule/existing_loops.h"
#include "schedule/neighbours.h"
#include "schedule/validity.h"

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

} // namespace sparsight
