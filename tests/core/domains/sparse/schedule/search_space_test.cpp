#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "support/spmm_schedule.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <unordered_set>

namespace sparsight {
namespace {

/// Slow and obvious: every way to write a schedule, kept when it is valid, canonical. Chunks are left at 1.
std::set<SuperSchedule> all_schedules(Operator op, const Extents& extents) {
    std::set<SuperSchedule> found;
    LoopList loops = loop_names(op);
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

using ::testing::Contains;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> neighbour_texts(Operator op, std::string_view text, const Extents& extents) {
    std::vector<std::string> texts;
    for (const SuperSchedule& neighbour : neighbours(parse_schedule(op, text).value(), extents))
        texts.push_back(to_text(neighbour));
    return texts;
}

TEST(Neighbours, OfFixedCsrChangeEachDecisionOnce) {
    EXPECT_THAT(
        neighbour_texts(Operator::SpMV, "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 32", extents(Operator::SpMV, 8, 8, 1)),
        UnorderedElementsAre("2 1 i1 i0 k1 k0 1 1 0 1 i1 2 32",   // i split
                             "1 2 i1 i0 k1 k0 1 1 0 1 i1 2 32",   // k split
                             "1 1 i1 i0 k1 k0 0 1 0 1 i1 2 32",   // i1 compressed
                             "1 1 i1 i0 k1 k0 1 1 1 1 i1 2 32",   // k1 uncompressed
                             "1 1 k1 k0 i1 i0 1 1 0 1 i1 2 32",   // i and k swapped
                             "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 16",   // chunk halved
                             "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 64")); // chunk doubled
}

TEST(Neighbours, OfASplitSddmmScheduleChangeEachDecisionOnce) {
    EXPECT_THAT(neighbour_texts(Operator::SDDMM, "4 1 1 i1 j1 i0 k1 k0 j0 1 0 1 1 i1 2 256",
                                extents(Operator::SDDMM, 8, 8, 1)),
                UnorderedElementsAre(
                    "8 1 1 i1 j1 j0 i0 k1 k0 1 0 1 1 i1 2 256", "2 1 1 i1 j1 j0 i0 k1 k0 1 0 1 1 i1 2 256",
                    "4 2 1 i1 j1 j0 i0 k1 k0 1 0 1 1 i1 2 256", // k has the extent 1
                    "4 1 1 i1 j1 j0 i0 k1 k0 0 0 1 1 i1 2 256", "4 1 1 i1 j1 j0 i0 k1 k0 1 1 1 1 i1 2 256",
                    "4 1 1 i1 j1 j0 i0 k1 k0 1 0 0 1 i1 2 256", // j0 is not there
                    "4 1 1 j1 j0 i1 i0 k1 k0 1 0 1 1 i1 2 256", "4 1 1 i1 i0 j1 j0 k1 k0 1 0 1 1 i1 2 256",
                    "4 1 1 i1 j1 j0 k1 k0 i0 1 0 1 1 i1 2 256", "4 1 1 i1 j1 j0 i0 k1 k0 1 0 1 1 j1 2 256",
                    "4 1 1 i1 j1 j0 i0 k1 k0 1 0 1 1 i1 2 128"));
}

TEST(Neighbours, DoubleASplitUntilItCoversTheExtent) {
    const Extents ten_rows = extents(Operator::SpMV, 10, 1, 1);
    EXPECT_THAT(neighbour_texts(Operator::SpMV, "8 1 i1 i0 k1 k0 1 1 0 1 i1 2 32", ten_rows),
                Contains("16 1 i1 i0 k1 k0 1 1 0 1 i1 2 32"));
    EXPECT_THAT(neighbour_texts(Operator::SpMV, "16 1 i1 i0 k1 k0 1 1 0 1 i1 2 32", ten_rows),
                Not(Contains("32 1 i1 i0 k1 k0 1 1 0 1 i1 2 32")));
}

TEST(Neighbours, HalveAnOddSplitRoundingDown) {
    EXPECT_THAT(
        neighbour_texts(Operator::SpMV, "7 3 i1 i0 k1 k0 1 1 0 0 i1 2 32", extents(Operator::SpMV, 9, 9, 1)),
        ::testing::AllOf(Contains("3 3 i1 i0 k1 k0 1 1 0 0 i1 2 32"),
                         Contains("7 1 i1 i0 k1 k0 1 1 0 1 i1 2 32")));
}

class NeighboursOf : public ::testing::TestWithParam<Operator> {
protected:
    Extents extents_ = extents(GetParam(), 1000, 37, 256);
    std::vector<SuperSchedule> starts() {
        Random random(3);
        return sample_uniform(GetParam(), extents_, 300, 4, random);
    }
};

TEST_P(NeighboursOf, AnyScheduleAreValidCanonicalAndDistinct) {
    for (const SuperSchedule& start : starts()) {
        const auto found = neighbours(start, extents_);
        std::set<SuperSchedule> distinct{start};
        for (const SuperSchedule& neighbour : found) {
            ASSERT_TRUE(check(neighbour)) << to_text(start) << " → " << to_text(neighbour);
            ASSERT_EQ(neighbour, canonical(neighbour));
            distinct.insert(neighbour);
        }
        ASSERT_EQ(distinct.size(), found.size() + 1) << to_text(start);
    }
}

TEST_P(NeighboursOf, AScheduleDoNotDependOnHowItIsWritten) {
    int written_differently = 0;
    for (SuperSchedule start : starts()) {
        const auto expected = neighbours(start, extents_);
        const LoopIndex inner{column_index(start.op), Part::Inner};
        if (start.has(inner))
            continue;
        const auto loops = std::span(start.order).first(loop_count(start.op));
        const auto found = std::ranges::find(loops, inner);
        std::rotate(found, found + 1, loops.end());
        start.formats[3] = LevelFormat::Compressed;
        ASSERT_EQ(neighbours(start, extents_), expected);
        ++written_differently;
    }
    EXPECT_GT(written_differently, 0);
}

/// The one step that forgets something.
bool removes_a_split_that_is_not_as_a_new_one(const SuperSchedule& from, const SuperSchedule& to) {
    for (const Index index : indices(from.op)) {
        if (!from.is_split(index) || to.is_split(index))
            continue;
        const LoopIndex inner{index, Part::Inner};
        const auto loops = existing_loops(from);
        const bool elsewhere = *(std::ranges::find(loops, inner) - 1) != LoopIndex{index, Part::Outer};
        return elsewhere ||
               (is_sparse_index(from.op, index) && from.format(inner) == LevelFormat::Compressed);
    }
    return false;
}

TEST_P(NeighboursOf, AScheduleHaveItAsNeighbourUnlessTheStepForgetWhereASplitStood) {
    int steps_that_forget = 0;
    for (const SuperSchedule& start : starts())
        for (const SuperSchedule& neighbour : neighbours(start, extents_)) {
            const bool forgets = removes_a_split_that_is_not_as_a_new_one(start, neighbour);
            steps_that_forget += forgets ? 1 : 0;
            const auto back = neighbours(neighbour, extents_);
            ASSERT_EQ(std::ranges::find(back, start) == back.end(), forgets)
                << to_text(start) << " → " << to_text(neighbour);
        }
    EXPECT_GT(steps_that_forget, 0);
}

INSTANTIATE_TEST_SUITE_P(EachOperator, NeighboursOf, ::testing::ValuesIn(all_operators),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(Mixture, IsValidAndCanonicalForEveryOperator) {
    for (const Operator op : all_operators) {
        Random random(1);
        const auto parents = sample_uniform(op, extents(op, 500, 300, 64), 40, 2, random);
        int children = 0;
        for (std::size_t at = 0; at + 1 < parents.size(); ++at)
            if (const auto child = mixture(parents[at], parents[at + 1], random)) {
                ++children;
                EXPECT_TRUE(check(*child).has_value());
                EXPECT_EQ(*child, canonical(*child));
            }
        EXPECT_GT(children, 5) << name(op);
    }
}

TEST(Mixture, HasEachSplitAndTheChunkFromOneOfTheTwo) {
    Random random(2);
    const auto parents = sample_uniform(Operator::SpMV, extents(Operator::SpMV, 500, 300, 1), 60, 2, random);
    for (std::size_t at = 0; at + 1 < parents.size(); ++at) {
        const SuperSchedule& one = parents[at];
        const SuperSchedule& other = parents[at + 1];
        const auto child = mixture(one, other, random);
        if (!child)
            continue;
        for (std::size_t index = 0; index < one.splits.size(); ++index)
            EXPECT_TRUE(child->splits[index] == one.splits[index] ||
                        child->splits[index] == other.splits[index]);
        EXPECT_TRUE(child->chunk == one.chunk || child->chunk == other.chunk);
    }
}

TEST(Mixture, OfOneScheduleWithItselfIsThatSchedule) {
    Random random(3);
    const SuperSchedule fixed = canonical(fixed_csr(Operator::SpMM, 2));
    EXPECT_EQ(mixture(fixed, fixed, random), fixed);
}

bool has(const std::vector<SuperSchedule>& designs, Operator op, const char* text) {
    const SuperSchedule schedule = canonical(*parse_schedule(op, text));
    return std::ranges::find(designs, schedule) != designs.end();
}

TEST(DesignedSchedules, AreValidCanonicalAndEachMeansSomethingElse) {
    for (const Operator op : all_operators) {
        const auto designs = designed_schedules(op, extents(op, 5000, 3000, 256), 2);
        EXPECT_GT(designs.size(), 100U) << name(op);
        EXPECT_LT(designs.size(), 3000U) << name(op);
        EXPECT_EQ(std::unordered_set(designs.begin(), designs.end()).size(), designs.size());
        for (const SuperSchedule& design : designs) {
            EXPECT_TRUE(check(design).has_value()) << to_text(design);
            EXPECT_EQ(canonical(design), design) << to_text(design);
            EXPECT_FALSE(is_fixed_csr(design));
            EXPECT_EQ(design.threads, 2);
        }
    }
}

TEST(DesignedSchedules, KnowRowPanelsRegisterBlocksAndCacheBlocks) {
    const auto designs = designed_schedules(Operator::SpMM, extents(Operator::SpMM, 5000, 3000, 256), 2);
    EXPECT_TRUE(has(designs, Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 128")) << "larger chunks";
    EXPECT_TRUE(has(designs, Operator::SpMM, "4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 2 8")) << "rows innermost";
    EXPECT_TRUE(has(designs, Operator::SpMM, "4 4 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 2 8")) << "dense blocks";
    EXPECT_TRUE(has(designs, Operator::SpMM, "256 128 1 i1 k1 i0 k0 j1 j0 1 1 1 0 i1 2 2")) << "panels";
    EXPECT_TRUE(has(designs, Operator::SpMM, "16 1 64 i1 j1 i0 k1 k0 j0 1 1 0 1 i1 2 8")) << "strips";
}

TEST(DesignedSchedules, SplitNothingThatASmallerSplitCovers) {
    for (const SuperSchedule& design :
         designed_schedules(Operator::SpMM, extents(Operator::SpMM, 20, 10, 32), 2)) {
        EXPECT_LT(design.split(Index::I), 20);
        EXPECT_LT(design.split(Index::K), 10);
        EXPECT_LT(design.split(Index::J), 32);
    }
}

} // namespace
} // namespace sparsight
