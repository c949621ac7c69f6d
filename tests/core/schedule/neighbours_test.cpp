#include "schedule/neighbours.h"

#include "core/schedule/print_schedule.h"
#include "schedule/existing_loops.h"
#include "schedule/sampler.h"
#include "schedule/text.h"
#include "schedule/validity.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight
