#include "domains/sparse/simulator/schedule_ranking.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"
#include "machine/machine_presets.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <set>

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
    constexpr double unmeasured = std::numeric_limits<double>::infinity();
    const Ranking one = rank(std::vector<double>{unmeasured, 2});
    EXPECT_THAT(one.winner(), Eq(1));
    EXPECT_FALSE(one.lead()) << "there is no second";
    EXPECT_FALSE(rank(std::vector<double>{unmeasured, unmeasured}).winner());
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

class PaperBasisTest : public ::testing::Test {
protected:
    void SetUp() override {
        const CsrPattern pattern = *generate_matrix("banded", {{"size", 500}}, 1);
        profiles_ = schedule_set(ProfiledPattern(pattern), {.count = 3})->profiles;
    }
    std::vector<ScheduleProfile> profiles_;
    MachineParameters machine_ = resolve_parameters(report_machine_a()).values;
};

TEST_F(PaperBasisTest, IsWhatWasRecordedWhereTwoCanBeCompared) {
    const std::vector<std::optional<double>> recorded{2.0, std::nullopt, 1.0};
    const PaperBasis basis = paper_basis(recorded, machine_, profiles_);
    EXPECT_TRUE(basis.is_recorded);
    EXPECT_EQ(basis.milliseconds[0], 2);
    EXPECT_TRUE(std::isinf(basis.milliseconds[1])) << "nobody has run it";
    EXPECT_EQ(basis.milliseconds[2], 1);
}

TEST_F(PaperBasisTest, IsSimulatedWhereTooFewTimesAreKnown) {
    const std::vector<std::optional<double>> recorded{2.0, std::nullopt, std::nullopt};
    const PaperBasis basis = paper_basis(recorded, machine_, profiles_);
    EXPECT_FALSE(basis.is_recorded);
    EXPECT_EQ(basis.milliseconds, rank(simulate(machine_, profiles_)).milliseconds);
}

using ::testing::Each;
using ::testing::Field;
using ::testing::SizeIs;

CsrPattern blocks() {
    return *generate_matrix("block-diagonal", {{"size", 600}}, 1);
}

TEST(ScheduleSet, BeginsWithFixedCsrAndTheKnownOnesEachMeaningOnce) {
    const CsrPattern pattern = blocks();
    SuperSchedule known = fixed_csr(Operator::SpMM, 8);
    known.chunk = 7;
    const auto set = schedule_set(ProfiledPattern(pattern),
                                  {Operator::SpMM, 64, {known, fixed_csr(Operator::SpMM, 4), known}, 20, 1});
    ASSERT_TRUE(set) << set.error().text();
    ASSERT_THAT(set->schedules, SizeIs(20));
    EXPECT_THAT(set->profiles, SizeIs(20));
    EXPECT_TRUE(is_fixed_csr(set->schedules[0]));
    EXPECT_EQ(set->schedules[1].chunk, 7);
    EXPECT_EQ(std::set(set->schedules.begin(), set->schedules.end()).size(), 20);
    EXPECT_THAT(set->schedules, Each(Field(&SuperSchedule::threads, all_threads)))
        << "a machine with more cores must be able to use them";
}

TEST(ScheduleSet, IsTheKnownOnesAloneWhereNoOthersAreAskedFor) {
    const CsrPattern pattern = blocks();
    SuperSchedule known = fixed_csr(Operator::SpMV, 8);
    known.chunk = 7;
    const auto set = schedule_set(ProfiledPattern(pattern), {Operator::SpMV, 1, {known}, 0, 1});
    ASSERT_TRUE(set);
    EXPECT_THAT(set->schedules, SizeIs(2));
}

TEST(ScheduleSet, HasSeveralThatWinOnSomeMachine) {
    const CsrPattern pattern = blocks();
    const auto set = schedule_set(ProfiledPattern(pattern), {.op = Operator::SpMM, .count = 12});
    ASSERT_TRUE(set);
    std::set<std::size_t> winners;
    for (const MachineDescription& machine : sample_machines(5, 60)) {
        const auto times = simulate(resolve_parameters(machine).values, set->profiles);
        winners.insert(*rank(times).winner());
    }
    EXPECT_GE(winners.size(), 4);
}

TEST(ScheduleSet, IsTheSameForTheSameSeedWhateverTheThreads) {
    const CsrPattern pattern = blocks();
    const ScheduleSetRequest request{.op = Operator::SDDMM, .dense = 32, .count = 10, .seed = 3};
    const auto one = schedule_set(ProfiledPattern(pattern), request);
    const auto three = schedule_set(ProfiledPattern(pattern), request, {.threads = 3});
    ASSERT_TRUE(one && three);
    EXPECT_EQ(one->schedules, three->schedules);
    for (std::size_t i = 0; i < one->profiles.size(); ++i)
        EXPECT_EQ(one->profiles[i].storage.bytes, three->profiles[i].storage.bytes);
}

TEST(ScheduleSet, EndsWithAnErrorWhenItIsStopped) {
    const CsrPattern pattern = blocks();
    std::stop_source stop;
    stop.request_stop();
    const auto set = schedule_set(ProfiledPattern(pattern), {}, {.stop = stop.get_token()});
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().fault, Fault::Cancelled);
}

TEST(ProfileAll, TellsWhichScheduleIsInvalid) {
    const CsrPattern pattern = blocks();
    SuperSchedule broken = fixed_csr(Operator::SpMM, 4);
    broken.chunk = 0;
    const std::vector<SuperSchedule> schedules{fixed_csr(Operator::SpMM, 4), broken};
    const auto profiles = profile_all(ProfiledPattern(pattern), schedules, 64, {.threads = 2});
    ASSERT_FALSE(profiles);
    EXPECT_EQ(profiles.error().fault, Fault::Input);
    EXPECT_THAT(profiles.error().message, ::testing::HasSubstr("chunk"));
}

TEST(ProfileAll, SaysHowFarItIs) {
    const CsrPattern pattern = blocks();
    const std::vector<SuperSchedule> schedules(3, fixed_csr(Operator::SpMM, 4));
    std::vector<std::uint64_t> done;
    ASSERT_TRUE(
        profile_all(ProfiledPattern(pattern), schedules, 64, {.progress = [&](const Progress& progress) {
                        EXPECT_EQ(progress.total, 3);
                        done.push_back(progress.done);
                    }}));
    EXPECT_THAT(done, ::testing::ElementsAre(1, 2, 3));
}

using P = MachineParameter;

class WinnerMapTest : public ::testing::Test {
protected:
    void SetUp() override {
        pattern_ = *generate_matrix("power-law", {{"scale", 11}}, 1);
        auto set = schedule_set(ProfiledPattern(pattern_), {.op = Operator::SpMM, .count = 12});
        ASSERT_TRUE(set);
        profiles_ = std::move(set->profiles);
    }

    CsrPattern pattern_;
    std::vector<ScheduleProfile> profiles_;
    MachineDescription machine_ = find_machine_preset("epyc-7543")->machine;
    MapAxis cores_{P::Cores, {1, 4, 16, 64}};
    MapAxis bandwidth_{P::SocketBandwidth, {5, 40, 320}};
};

TEST_F(WinnerMapTest, EveryCellIsTheRankingOnItsMachine) {
    const auto map = winner_map(machine_, cores_, bandwidth_, profiles_);
    ASSERT_TRUE(map);
    ASSERT_EQ(map->cells.size(), 12);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 4; ++column) {
            const auto machine = with_parameter(with_parameter(machine_, P::Cores, cores_.values[column]),
                                                P::SocketBandwidth, bandwidth_.values[row]);
            const Ranking ranking = rank(simulate(resolve_parameters(machine).values, profiles_));
            const WinnerCell& cell = map->at(column, row);
            EXPECT_EQ(cell.winner, *ranking.winner());
            EXPECT_DOUBLE_EQ(cell.milliseconds, ranking.milliseconds[*ranking.winner()]);
            EXPECT_DOUBLE_EQ(cell.lead, *ranking.lead());
        }
}

TEST_F(WinnerMapTest, SeveralWinOnOneMatrixAsItsMachineChanges) {
    const auto map = winner_map(machine_, map_axis(machine_, P::Cores, 12),
                                map_axis(machine_, P::SocketBandwidth, 12), profiles_);
    ASSERT_TRUE(map);
    EXPECT_GE(map->winners().size(), 3);
}

TEST_F(WinnerMapTest, CountsTheWinnersThoseOfMostCellsFirst) {
    WinnerMap map{cores_, bandwidth_, {}};
    for (const std::size_t winner : {5, 2, 2, 2, 5, 7, 2, 2, 2, 2, 2, 2})
        map.cells.push_back({winner, 1, 0});
    EXPECT_THAT(map.winners(),
                ElementsAre(WinnerMap::Share{2, 9}, WinnerMap::Share{5, 2}, WinnerMap::Share{7, 1}));
}

TEST_F(WinnerMapTest, ThreadsChangeNothing) {
    const auto one = winner_map(machine_, cores_, bandwidth_, profiles_, 1);
    const auto five = winner_map(machine_, cores_, bandwidth_, profiles_, 5);
    ASSERT_TRUE(one && five);
    EXPECT_EQ(one->cells, five->cells);
}

TEST_F(WinnerMapTest, EndsWithAnErrorWhenItIsStopped) {
    std::stop_source stop;
    stop.request_stop();
    const auto map = winner_map(machine_, cores_, bandwidth_, profiles_, 1, stop.get_token());
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().fault, Fault::Cancelled);
}

TEST_F(WinnerMapTest, ByThePaperOneWinsEverywhereWithTheSameLead) {
    const std::vector<double> recorded{2, 1.5, 1.8};
    const auto map = paper_winner_map(machine_, map_axis(machine_, P::Cores, 16),
                                      map_axis(machine_, P::MemoryLatency, 16), recorded);
    ASSERT_TRUE(map);
    EXPECT_THAT(map->winners(), ElementsAre(WinnerMap::Share{1, map->cells.size()}));
    for (const WinnerCell& cell : map->cells)
        EXPECT_NEAR(cell.lead, 0.2, 1e-12);
    EXPECT_GT(map->cells.front().milliseconds / map->cells.back().milliseconds, 1) << "the times do change";
}

TEST_F(WinnerMapTest, AnAxisHoldsTheMachinesOwnValueWithinItsEnds) {
    const MapAxis axis = map_axis(machine_, P::L3Bytes, 32);
    const double value = resolve_parameters(machine_).values[P::L3Bytes];
    EXPECT_LE(axis.values.front(), value);
    EXPECT_GE(axis.values.back(), value);
    EXPECT_EQ(axis.values.size(), 32);
    EXPECT_TRUE(std::ranges::is_sorted(axis.values));
}

} // namespace
} // namespace sparsight
