#include "machine/what_if/winner_map.h"

#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "machine/what_if/schedule_set.h"
#include "matrix/generators/generator.h"

#include <gmock/gmock.h>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
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
