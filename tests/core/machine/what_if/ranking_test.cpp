#include "machine/what_if/ranking.h"

#include "machine/machine_presets.h"
#include "machine/paper_formula.h"

#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using P = MachineParameter;

TEST(Ranking, PutsTheFastestFirstAndTellsItsLead) {
    const Ranking ranking = rank(std::vector<double>{3, 1, 1.5});
    EXPECT_THAT(ranking.order, ElementsAre(1, 2, 0));
    EXPECT_THAT(ranking.winner(), Eq(1));
    EXPECT_DOUBLE_EQ(*ranking.lead(), 0.5);
}

TEST(Ranking, OfEqualTimesTheEarlierScheduleComesFirst) {
    EXPECT_THAT(rank(std::vector<double>{2, 1, 1}).order, ElementsAre(1, 2, 0));
}

TEST(Ranking, WhatCannotRunComesLastAndNeverWins) {
    constexpr double never = std::numeric_limits<double>::infinity();
    const Ranking one = rank(std::vector<double>{never, 2});
    EXPECT_THAT(one.winner(), Eq(1));
    EXPECT_FALSE(one.lead()) << "there is no second";
    EXPECT_FALSE(rank(std::vector<double>{never, never}).winner());
    EXPECT_FALSE(rank(std::vector<double>{}).winner());
}

TEST(Ranking, OfSimulatedTimesGoesByTheirTotals) {
    std::vector<SimulatedTime> times(2);
    times[0][TimeTerm::Compute] = 1;
    times[0][TimeTerm::Latency] = 3;
    times[1][TimeTerm::Chunks] = 3.5;
    EXPECT_THAT(rank(times).order, ElementsAre(1, 0));
    EXPECT_THAT(rank(times).milliseconds, ElementsAre(4, 3.5));
}

TEST(PaperScale, IsTheFactorOfThePaperFormulaWhereEverythingIsKnown) {
    for (const MachinePreset& preset : machine_presets()) {
        const auto factor = paper_factor(preset.machine);
        ASSERT_TRUE(factor) << preset.key;
        EXPECT_NEAR(paper_scale(resolve_parameters(preset.machine).values) / *factor, 1, 1e-9) << preset.key;
    }
}

TEST(PaperScale, LeavesEveryOrderAsItWasRecordedOnEveryMachine) {
    const std::vector<double> recorded{3, 1, 1.5, 0.99};
    const std::vector<std::size_t> order = rank(recorded).order;
    for (const MachinePreset& preset : machine_presets()) {
        const MachineParameters machine = resolve_parameters(preset.machine).values;
        const Ranking scaled = rank(scale_by_paper(machine, recorded));
        EXPECT_EQ(scaled.order, order) << preset.key;
        EXPECT_NEAR(*scaled.lead(), *rank(recorded).lead(), 1e-12) << preset.key;
    }
}

} // namespace
} // namespace sparsight
