#include "evaluation/diagnosis/decision.h"

#include "schedule/text.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SuperSchedule spmm(std::string_view line) {
    return canonical(*parse_schedule(Operator::SpMM, line));
}

std::vector<std::string> keys(const SuperSchedule& one, const SuperSchedule& other) {
    std::vector<std::string> result;
    for (const Decision& decision : differing_decisions(one, other))
        result.push_back(key(decision));
    return result;
}

const SuperSchedule csr = canonical(fixed_csr(Operator::SpMM, 4));

TEST(Decisions, AreNoneBetweenSchedulesThatMeanTheSame) {
    EXPECT_THAT(keys(csr, spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32")), IsEmpty());
    EXPECT_THAT(keys(csr, spmm("1 1 1 i1 k1 j1 i0 k0 j0 1 0 0 0 i1 4 32")), IsEmpty())
        << "loops of indices that are not split mean nothing";
}

TEST(Decisions, DoNotCountThreads) {
    EXPECT_THAT(keys(csr, spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32")), IsEmpty());
}

TEST(Decisions, OfASplitHoldTheWholeLoopThatItBrings) {
    // Blocked rows: i0 is innermost among A's loops and compressed, and all of it is the split.
    EXPECT_THAT(keys(csr, spmm("4 1 1 i1 k1 k0 i0 j1 j0 1 0 0 1 i1 4 32")), ElementsAre("split_i"));
}

TEST(Decisions, OfSplitsThatBothHaveAreTheirSizeTheirPlaceAndTheirFormat) {
    const SuperSchedule one = spmm("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_THAT(keys(one, spmm("8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32")), ElementsAre("split_i"));
    EXPECT_THAT(keys(one, spmm("4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 4 32")), ElementsAre("level_order"));
    EXPECT_THAT(keys(one, spmm("4 1 1 i1 i0 k1 k0 j1 j0 1 0 0 1 i1 4 32")), ElementsAre("format_i0"));
}

TEST(Decisions, TellTheOrderOfLevelsFromThePlaceOfTheDenseLoops) {
    EXPECT_THAT(keys(csr, spmm("1 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 4 32")), ElementsAre("level_order"));
    EXPECT_THAT(keys(csr, spmm("1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 4 32")), ElementsAre("dense_loops"));
    EXPECT_THAT(keys(csr, spmm("1 1 1 k1 k0 j1 j0 i1 i0 1 1 0 1 i1 4 32")),
                ElementsAre("level_order", "dense_loops"));
}

TEST(Decisions, OfAllKindsAreListedSplitsFirst) {
    EXPECT_THAT(
        keys(spmm("2 2 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32"), spmm("4 4 4 k1 j1 i1 k0 i0 j0 0 0 1 0 i1 4 1")),
        ElementsAre("split_i", "split_k", "split_j", "level_order", "dense_loops", "format_i1", "format_i0",
                    "format_k1", "format_k0", "chunk"));
}

TEST(Decisions, OfSddmmKnowItsParallelLoops) {
    const auto one = *parse_schedule(Operator::SDDMM, "1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 4 32");
    const auto other = *parse_schedule(Operator::SDDMM, "1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 j1 4 32");
    EXPECT_THAT(keys(one, other), ElementsAre("parallel"));
}

TEST(Decisions, SayWhatAScheduleDecidesInWords) {
    const SuperSchedule schedule = spmm("4 1 1 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 4 16");
    const auto says = [&](DecisionKind kind, LoopIndex subject = {Index::I, Part::Outer}) {
        const Decision decision{kind, subject};
        return name(decision, Operator::SpMM) + ": " + value_of(decision, schedule);
    };
    EXPECT_EQ(says(DecisionKind::Split), "split of i: 4");
    EXPECT_EQ(says(DecisionKind::Split, {Index::K, Part::Outer}), "split of k: not split");
    EXPECT_EQ(says(DecisionKind::LevelOrder), "level order: i1 k1 i0");
    EXPECT_EQ(says(DecisionKind::DenseLoops), "place of the j loops: i1 k1 j1 i0");
    EXPECT_EQ(says(DecisionKind::LevelFormat, {Index::K, Part::Outer}), "format of k1: compressed");
    EXPECT_EQ(says(DecisionKind::ParallelLoop), "parallel loop: i1");
    EXPECT_EQ(says(DecisionKind::Chunk), "chunk: 16");
}

} // namespace
} // namespace sparsight
