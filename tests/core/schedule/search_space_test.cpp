#include "schedule/search_space.h"

#include "core/schedule/print_schedule.h"
#include "schedule/text.h"
#include "schedule/validity.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace sparsight {
namespace {

/// Slow and obvious: every way to write a schedule, kept when it is valid, canonical. Chunks are left at 1.
std::set<SuperSchedule> all_schedules(Operator op, const Extents& extents) {
    std::set<SuperSchedule> found;
    std::vector<LoopIndex> loops = loop_names(op);
    SuperSchedule schedule = fixed_csr(op, 4);
    schedule.chunk = 1;
    const auto every_split = [&](auto& self, std::size_t i) -> void {
        if (i < indices(op).size()) {
            const Index index = indices(op)[i];
            for (std::int64_t split = 1; split == 1 || split <= extents[index]; split *= 2) {
                schedule.splits[static_cast<std::size_t>(index)] = split;
                self(self, i + 1);
            }
            return;
        }
        for (unsigned formats = 0; formats < 16; ++formats) {
            for (std::size_t level = 0; level < 4; ++level)
                schedule.formats[level] = static_cast<LevelFormat>((formats >> level) & 1U);
            for (const LoopIndex parallel : parallel_loops(op)) {
                schedule.parallel = parallel;
                if (check(schedule))
                    found.insert(canonical(schedule));
            }
        }
    };
    std::ranges::sort(loops);
    do {
        std::ranges::copy(loops, schedule.order.begin());
        every_split(every_split, 0);
    } while (std::ranges::next_permutation(loops).found);
    return found;
}

struct Case {
    Operator op;
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t dense;
};

TEST(SearchSpace, HoldsEveryDistinctScheduleExactlyOnce) {
    for (const Case& each :
         {Case{Operator::SpMV, 5, 3, 1}, Case{Operator::SpMV, 1, 8, 1}, Case{Operator::SpMM, 2, 1, 3},
          Case{Operator::SDDMM, 1, 2, 1}, Case{Operator::SpMM, 0, 0, 1}}) {
        const Extents size = extents(each.op, each.rows, each.cols, each.dense);
        const SearchSpace space(each.op, size, 4);
        std::set<SuperSchedule> of_chunk_one;
        std::set<SuperSchedule> all;
        for (std::uint64_t rank = 0; rank < space.size(); ++rank) {
            const SuperSchedule schedule = space.at(rank);
            ASSERT_EQ(schedule, canonical(schedule)) << to_text(schedule);
            all.insert(schedule);
            if (schedule.chunk == 1)
                of_chunk_one.insert(schedule);
        }
        EXPECT_EQ(all.size(), space.size());
        EXPECT_EQ(space.size(), 9 * of_chunk_one.size()); // 1, 2, 4 … 256
        EXPECT_EQ(of_chunk_one, all_schedules(each.op, size));
    }
}

TEST(SearchSpace, OfAOneByOneMatrixStillHasOrdersFormatsAndChunks) {
    EXPECT_EQ(SearchSpace(Operator::SpMV, extents(Operator::SpMV, 1, 1, 1), 4).size(), 2U * 4 * 9);
    EXPECT_EQ(SearchSpace(Operator::SpMM, extents(Operator::SpMM, 1, 1, 1), 4).size(), 6U * 4 * 9);
    EXPECT_EQ(SearchSpace(Operator::SDDMM, extents(Operator::SDDMM, 1, 1, 1), 4).size(), 6U * 4 * 9 * 2);
}

TEST(SearchSpace, StaysCountableAndValidForTheLargestMatrices) {
    for (const Operator op : all_operators) {
        const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
        const SearchSpace space(op, extents(op, largest, largest, largest), 4);
        EXPECT_LT(space.size(), std::uint64_t{1} << 30);
        for (const std::uint64_t rank : {std::uint64_t{0}, space.size() / 2, space.size() - 1})
            EXPECT_TRUE(check(space.at(rank))) << to_text(space.at(rank));
    }
}

} // namespace
} // namespace sparsight
