#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "support/spmm_schedule.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::spmm;

std::vector<std::string> keys(const SuperSchedule& one, const SuperSchedule& other) {
    std::vector<std::string> result;
    for (const ScheduleDecision& decision : differing_decisions(one, other))
        result.push_back(key(decision));
    return result;
}

const SuperSchedule csr_schedule = canonical(fixed_csr(Operator::SpMM, 4));

TEST(Decisions, AreNoneBetweenSchedulesThatMeanTheSame) {
    EXPECT_THAT(keys(csr_schedule, spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32")), IsEmpty());
    EXPECT_THAT(keys(csr_schedule, spmm("1 1 1 i1 k1 j1 i0 k0 j0 1 0 0 0 i1 4 32")), IsEmpty())
        << "loops of indices that are not split mean nothing";
}

TEST(Decisions, DoNotCountThreads) {
    EXPECT_THAT(keys(csr_schedule, spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32")), IsEmpty());
}

TEST(Decisions, OfASplitHoldTheWholeLoopThatItBrings) {
    // Blocked rows: i0 is innermost among A's loops and compressed, and all of it is the split.
    EXPECT_THAT(keys(csr_schedule, spmm("4 1 1 i1 k1 k0 i0 j1 j0 1 0 0 1 i1 4 32")), ElementsAre("split_i"));
}

TEST(Decisions, OfSplitsThatBothHaveAreTheirSizeTheirPlaceAndTheirFormat) {
    const SuperSchedule one = spmm("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_THAT(keys(one, spmm("8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32")), ElementsAre("split_i"));
    EXPECT_THAT(keys(one, spmm("4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 4 32")), ElementsAre("level_order"));
    EXPECT_THAT(keys(one, spmm("4 1 1 i1 i0 k1 k0 j1 j0 1 0 0 1 i1 4 32")), ElementsAre("format_i0"));
}

TEST(Decisions, TellTheOrderOfLevelsFromThePlaceOfTheDenseLoops) {
    EXPECT_THAT(keys(csr_schedule, spmm("1 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 4 32")),
                ElementsAre("level_order"));
    EXPECT_THAT(keys(csr_schedule, spmm("1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 4 32")),
                ElementsAre("dense_loops"));
    EXPECT_THAT(keys(csr_schedule, spmm("1 1 1 k1 k0 j1 j0 i1 i0 1 1 0 1 i1 4 32")),
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
        const ScheduleDecision decision{kind, subject};
        return name(decision) + ": " + value_of(decision, schedule);
    };
    EXPECT_EQ(says(DecisionKind::Split), "split of i: 4");
    EXPECT_EQ(says(DecisionKind::Split, {Index::K, Part::Outer}), "split of k: not split");
    EXPECT_EQ(says(DecisionKind::LevelOrder), "level order: i1 k1 i0");
    EXPECT_EQ(says(DecisionKind::DenseLoops), "place of the dense loops: i1 k1 j1 i0");
    EXPECT_EQ(says(DecisionKind::LevelFormat, {Index::K, Part::Outer}), "format of k1: compressed");
    EXPECT_EQ(says(DecisionKind::ParallelLoop), "parallel loop: i1");
    EXPECT_EQ(says(DecisionKind::Chunk), "chunk: 16");
}

using ::testing::HasSubstr;

/// The hybrid that takes these decisions, by their keys, from the second schedule.
HybridSchedule taking(const std::shared_ptr<const ScheduleHybrids>& space,
                      const std::vector<std::string>& keys) {
    DecisionSet taken = 0;
    for (std::size_t bit = 0; bit < space->decisions().size(); ++bit)
        if (std::ranges::find(keys, space->decisions()[bit].key) != keys.end())
            taken |= DecisionSet{1} << bit;
    return space->schedule_at(taken);
}

constexpr std::string_view csr_line = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32";

TEST(Hybrids, BeginWithTheOneScheduleAndEndWithTheOther) {
    Random random(1);
    for (const Operator op : all_operators) {
        const auto drawn = sample_uniform(op, extents(op, 300, 500, 64), 200, 4, random);
        for (std::size_t pair = 0; pair + 1 < drawn.size(); pair += 2) {
            const auto space = *ScheduleHybrids::make(drawn[pair], drawn[pair + 1]);
            EXPECT_EQ(to_text(space->schedule_at(0).schedule), to_text(drawn[pair]));
            EXPECT_EQ(to_text(space->schedule_at(space->all()).schedule), to_text(drawn[pair + 1]));
            EXPECT_FALSE(space->schedule_at(0).is_repaired);
            EXPECT_FALSE(space->schedule_at(space->all()).is_repaired);
        }
    }
}

TEST(Hybrids, AreAllValidAndCanonicalWhateverIsMixed) {
    Random random(2);
    std::size_t repaired = 0;
    for (const Operator op : all_operators) {
        const auto drawn = sample_uniform(op, extents(op, 300, 500, 64), 40, 4, random);
        for (std::size_t pair = 0; pair + 1 < drawn.size(); pair += 2) {
            const auto space = *ScheduleHybrids::make(drawn[pair], drawn[pair + 1]);
            ASSERT_LE(space->decisions().size(), 11U);
            for (DecisionSet taken = 0; taken < space->size(); ++taken) {
                const HybridSchedule hybrid = space->schedule_at(taken);
                const auto valid = check(hybrid.schedule);
                EXPECT_TRUE(valid) << to_text(hybrid.schedule) << ": " << valid.error().message;
                EXPECT_EQ(hybrid.schedule, canonical(hybrid.schedule));
                repaired += hybrid.is_repaired ? 1 : 0;
            }
        }
    }
    EXPECT_GT(repaired, 0U) << "the rule of repair was never needed";
}

// A step in one decision is a step: the hybrid differs from its neighbour in nothing else.
TEST(Hybrids, ThatDifferInOneDecisionDifferInNoOther) {
    const auto space = *ScheduleHybrids::make(spmm("2 2 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32"),
                                              spmm("4 4 4 k1 j1 i1 k0 i0 j0 0 0 1 0 i1 4 1"));
    for (DecisionSet taken = 0; taken < space->size(); ++taken)
        for (std::size_t bit = 0; bit < space->decisions().size(); ++bit) {
            const HybridSchedule one = space->schedule_at(taken);
            const HybridSchedule other = space->schedule_at(taken ^ DecisionSet{1} << bit);
            EXPECT_EQ(differing_decisions(one.schedule, other.schedule),
                      std::vector{space->schedule_decisions()[bit]})
                << to_text(one.schedule) << " and " << to_text(other.schedule);
        }
}

TEST(Hybrids, TakeASplitWithThePlaceAndTheFormatOfItsLoop) {
    const auto space = *ScheduleHybrids::make(spmm(csr_line), spmm("4 2 1 i1 k1 i0 k0 j1 j0 1 0 0 1 i1 4 8"));
    EXPECT_EQ(to_text(taking(space, {"split_i"}).schedule), "4 1 1 i1 k1 k0 i0 j1 j0 1 0 0 1 i1 4 32");
    EXPECT_EQ(to_text(taking(space, {"split_k"}).schedule), "1 2 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_EQ(to_text(taking(space, {"split_i", "split_k"}).schedule),
              "4 2 1 i1 k1 i0 k0 j1 j0 1 0 0 1 i1 4 32");
    EXPECT_EQ(to_text(taking(space, {"chunk"}).schedule), "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 8");
}

// i0 follows k1 in its own schedule; where k1 is the outermost loop it would stand outside i1.
TEST(Hybrids, MoveALoopInsideItsOuterOneWhereItsOwnPlaceIsNotValid) {
    const auto space = *ScheduleHybrids::make(spmm("1 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 4 32"),
                                              spmm("4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 4 32"));
    const HybridSchedule hybrid = taking(space, {"split_i"});
    EXPECT_EQ(to_text(hybrid.schedule), "4 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_TRUE(hybrid.is_repaired);
    EXPECT_FALSE(taking(space, {"level_order"}).is_repaired);
}

TEST(Hybrids, RunOnTheThreadsOfTheFirstSchedule) {
    const auto space =
        *ScheduleHybrids::make(spmm(csr_line), spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8"));
    EXPECT_EQ(space->schedule_at(space->all()).schedule.threads, 4);
}

TEST(Hybrids, AreRefusedOfSchedulesOfTwoOperators) {
    const auto space = ScheduleHybrids::make(fixed_csr(Operator::SpMM, 4), fixed_csr(Operator::SpMV, 4));
    ASSERT_FALSE(space);
    EXPECT_EQ(space.error().fault, Fault::Input);
    EXPECT_THAT(space.error().message, HasSubstr("spmm, the other of spmv"));
}

} // namespace
} // namespace sparsight
