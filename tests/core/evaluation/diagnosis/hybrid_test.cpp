#include "evaluation/diagnosis/hybrid.h"

#include "schedule/sampler.h"
#include "schedule/text.h"
#include "schedule/validity.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

SuperSchedule spmm(std::string_view line) {
    return canonical(*parse_schedule(Operator::SpMM, line));
}

/// The hybrid that takes these decisions, by their keys, from the second schedule.
Hybrid taking(const HybridSpace& space, const std::vector<std::string>& keys) {
    DecisionSet taken = 0;
    for (std::size_t bit = 0; bit < space.decisions().size(); ++bit)
        if (std::ranges::find(keys, key(space.decisions()[bit])) != keys.end())
            taken |= DecisionSet{1} << bit;
    return space.at(taken);
}

constexpr std::string_view csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32";

TEST(Hybrids, BeginWithTheOneScheduleAndEndWithTheOther) {
    Random random(1);
    for (const Operator op : all_operators) {
        const auto drawn = sample_uniform(op, extents(op, 300, 500, 64), 200, 4, random);
        for (std::size_t pair = 0; pair + 1 < drawn.size(); pair += 2) {
            const auto space = *HybridSpace::make(drawn[pair], drawn[pair + 1]);
            EXPECT_EQ(to_text(space.at(0).schedule), to_text(drawn[pair]));
            EXPECT_EQ(to_text(space.at(space.all()).schedule), to_text(drawn[pair + 1]));
            EXPECT_FALSE(space.at(0).is_repaired);
            EXPECT_FALSE(space.at(space.all()).is_repaired);
        }
    }
}

TEST(Hybrids, AreAllValidAndCanonicalWhateverIsMixed) {
    Random random(2);
    std::size_t repaired = 0;
    for (const Operator op : all_operators) {
        const auto drawn = sample_uniform(op, extents(op, 300, 500, 64), 40, 4, random);
        for (std::size_t pair = 0; pair + 1 < drawn.size(); pair += 2) {
            const auto space = *HybridSpace::make(drawn[pair], drawn[pair + 1]);
            ASSERT_LE(space.decisions().size(), 11U);
            for (DecisionSet taken = 0; taken < space.size(); ++taken) {
                const Hybrid hybrid = space.at(taken);
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
    const auto space = *HybridSpace::make(spmm("2 2 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32"),
                                          spmm("4 4 4 k1 j1 i1 k0 i0 j0 0 0 1 0 i1 4 1"));
    for (DecisionSet taken = 0; taken < space.size(); ++taken)
        for (std::size_t bit = 0; bit < space.decisions().size(); ++bit) {
            const Hybrid one = space.at(taken);
            const Hybrid other = space.at(taken ^ DecisionSet{1} << bit);
            EXPECT_EQ(differing_decisions(one.schedule, other.schedule), std::vector{space.decisions()[bit]})
                << to_text(one.schedule) << " and " << to_text(other.schedule);
        }
}

TEST(Hybrids, TakeASplitWithThePlaceAndTheFormatOfItsLoop) {
    const auto space = *HybridSpace::make(spmm(csr), spmm("4 2 1 i1 k1 i0 k0 j1 j0 1 0 0 1 i1 4 8"));
    EXPECT_EQ(to_text(taking(space, {"split_i"}).schedule), "4 1 1 i1 k1 k0 i0 j1 j0 1 0 0 1 i1 4 32");
    EXPECT_EQ(to_text(taking(space, {"split_k"}).schedule), "1 2 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_EQ(to_text(taking(space, {"split_i", "split_k"}).schedule),
              "4 2 1 i1 k1 i0 k0 j1 j0 1 0 0 1 i1 4 32");
    EXPECT_EQ(to_text(taking(space, {"chunk"}).schedule), "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 8");
}

// i0 follows k1 in its own schedule; where k1 is the outermost loop it would stand outside i1.
TEST(Hybrids, MoveALoopInsideItsOuterOneWhereItsOwnPlaceIsNotValid) {
    const auto space = *HybridSpace::make(spmm("1 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 4 32"),
                                          spmm("4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 4 32"));
    const Hybrid hybrid = taking(space, {"split_i"});
    EXPECT_EQ(to_text(hybrid.schedule), "4 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_TRUE(hybrid.is_repaired);
    EXPECT_FALSE(taking(space, {"level_order"}).is_repaired);
}

TEST(Hybrids, RunOnTheThreadsOfTheFirstSchedule) {
    const auto space = *HybridSpace::make(spmm(csr), spmm("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8"));
    EXPECT_EQ(space.at(space.all()).schedule.threads, 4);
}

TEST(Hybrids, AreRefusedOfSchedulesOfTwoOperators) {
    const auto space = HybridSpace::make(fixed_csr(Operator::SpMM, 4), fixed_csr(Operator::SpMV, 4));
    ASSERT_FALSE(space);
    EXPECT_EQ(space.error().fault, Fault::Input);
    EXPECT_THAT(space.error().message, HasSubstr("spmm, the other of spmv"));
}

} // namespace
} // namespace sparsight
