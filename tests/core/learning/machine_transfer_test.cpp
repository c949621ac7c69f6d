// Transfer between machines, on grids of two decisions where the right choice is known: what is chosen for a
// machine on which nothing ran, and what few measurements there are worth.
#include "learning/transfer/corrected_copy.h"
#include "learning/transfer/few_measurements.h"
#include "learning/transfer/launch_features.h"
#include "learning/transfer/machine_likeness.h"
#include "learning/transfer/order_transfer.h"
#include "learning/transfer/timed_space.h"
#include "learning/transfer/unmeasured_choice.h"
#include "support/results.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::must;
using ::testing::SizeIs;

constexpr double never_ran = std::numeric_limits<double>::infinity();
constexpr double untried = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t side = 8; ///< of a grid: x and y are 1, 2 … 8

/// Milliseconds by x and y, from 0.
using Times = std::function<double(std::size_t x, std::size_t y)>;

/// The further from its best, the slower.
Times best_at(double best_x, double best_y) {
    return [=](std::size_t x, std::size_t y) {
        return std::exp(0.1 * (std::pow(static_cast<double>(x) - best_x, 2) +
                               std::pow(static_cast<double>(y) - best_y, 2)));
    };
}

std::size_t place(std::size_t x, std::size_t y) {
    return x * side + y;
}

TimedSpace grid(std::string workload, const std::vector<std::pair<std::string, Times>>& machines) {
    TimedSpace space;
    space.workload = std::move(workload);
    space.decisions = {"x", "y"};
    space.values.resize(2);
    for (std::size_t value = 1; value <= side; ++value)
        for (auto& values : space.values)
            values.push_back(fmt::to_string(value));
    for (std::size_t x = 0; x < side; ++x)
        for (std::size_t y = 0; y < side; ++y) {
            const std::string text = fmt::format("x={} y={}", x, y);
            space.configurations.emplace_back(std::as_bytes(std::span(text)));
            space.choices.push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)});
        }
    for (const auto& [machine, times] : machines) {
        TimedColumn column{machine, machine, {}};
        for (std::size_t x = 0; x < side; ++x)
            for (std::size_t y = 0; y < side; ++y)
                column.milliseconds.push_back(times(x, y));
        space.columns.push_back(std::move(column));
    }
    return space;
}

TransferTarget target_in(const TimedSpace& space, std::size_t column) {
    return {space, column, sources_of(space, column)};
}

/// red1 and red2 are nearly alike; blue is of another maker.
KnownSheets sheets() {
    KnownSheets known;
    known.by_machine = {{"red1", {{{"cores", 8}, {"year", 2020}}, {{"vendor", "Red"}, {"arch", "A 1"}}}},
                        {"red2", {{{"cores", 9}, {"year", 2020}}, {{"vendor", "Red"}, {"arch", "A 2"}}}},
                        {"blue", {{{"cores", 64}, {"year", 2023}}, {{"vendor", "Blue"}, {"arch", "B"}}}}};
    std::vector<MachineSheet> all;
    for (const auto& [machine, sheet] : known.by_machine)
        all.push_back(sheet);
    known.scale = SheetScale::over(all);
    return known;
}

std::size_t chosen(const TransferTarget& target, UnmeasuredRule rule) {
    UnmeasuredOptions options;
    options.trees.rounds = 40;
    return best_tried(target, must(unmeasured_scores(target, rule, sheets(), options)));
}

TEST(SheetScale, IsNearerToAMachineOfTheSameMakerAndGeneration) {
    const KnownSheets known = sheets();
    EXPECT_EQ(known.distance("red1", "red1"), 0);
    EXPECT_LT(known.distance("red1", "red2"), 0.1);
    EXPECT_GT(known.distance("red1", "blue"), 2.5);
    EXPECT_EQ(known.distance("red1", "blue"), known.distance("blue", "red1"));
}

TEST(SheetScale, ComparesOnlyWhatBothSheetsSay) {
    const std::vector<MachineSheet> all{
        {{{"cores", 2}, {"cache", 4}}, {}}, {{{"cores", 4}}, {}}, {{{"cache", 16}}, {}}, {{}, {}}};
    const SheetScale scale = SheetScale::over(all);
    EXPECT_GT(scale.distance(all[0], all[1]), 0);
    EXPECT_EQ(scale.distance(all[1], all[2]), 2) << "nothing is shared: as far as another maker";
    EXPECT_EQ(scale.distance(all[3], all[0]), 2);
    EXPECT_THAT(scale.masked_numbers(all[3]), ElementsAre(0, 0, 0, 0)) << "unknown is not zero: the mask is";
    EXPECT_EQ(scale.masked_numbers(all[1])[3], 1) << "cores are known";
}

TEST(TimedColumn, CountsAFailureAsTheSlowestThatRan) {
    const TimedColumn column{"m", "m", {2, 3, never_ran, untried}};
    EXPECT_THAT(column.regret(0), 0);
    EXPECT_THAT(column.regret(1), 0.5);
    EXPECT_THAT(column.regret(2), 0.5);
    EXPECT_FALSE(column.was_tried(3));
    EXPECT_GT(column.relative_logs()[2], column.relative_logs()[1]);
    EXPECT_TRUE(std::isnan(column.relative_logs()[3]));
}

TEST(TimedColumn, IsFlatWhereMostAreAboutAsFastAsTheBest) {
    EXPECT_TRUE(is_flat({"m", "m", {1, 1.01, 1.01, 5}}));
    EXPECT_FALSE(is_flat({"m", "m", {1, 1.01, 1.5, 5}}));
}

TEST(TimedSpace, TakesTwoInstallationsOfAMachineForOne) {
    TimedSpace space = grid("w", {{"red1", best_at(0, 0)}, {"red2", best_at(0, 0)}, {"red1", best_at(0, 0)}});
    EXPECT_THAT(sources_of(space, 0), ElementsAre(1));
}

TEST(UnmeasuredChoice, FollowsTheMachineWithTheNearestSheet) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(6, 1)}, {"red2", best_at(6, 1)}, {"blue", best_at(0, 7)}});
    const TransferTarget target = target_in(space, 0);
    EXPECT_EQ(chosen(target, UnmeasuredRule::Copy), place(6, 1));
    EXPECT_EQ(chosen(target, UnmeasuredRule::Nearest), place(6, 1));
}

TEST(UnmeasuredChoice, OfTheOracleLooksAtTheTimesOfTheTarget) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(0, 7)}, {"red2", best_at(6, 1)}, {"blue", best_at(0, 7)}});
    const TransferTarget target = target_in(space, 0);
    EXPECT_EQ(chosen(target, UnmeasuredRule::Nearest), place(6, 1)) << "by sheet";
    EXPECT_EQ(chosen(target, UnmeasuredRule::Oracle), place(0, 7)) << "by order";
}

TEST(UnmeasuredChoice, NeverTakesWhatWasNotTriedOnTheTarget) {
    const TimedSpace space = grid(
        "w", {{"red1", [](std::size_t x, std::size_t y) { return x == 6 ? untried : best_at(6, 1)(x, y); }},
              {"red2", best_at(6, 1)},
              {"blue", best_at(6, 1)}});
    const TransferTarget target = target_in(space, 0);
    for (const UnmeasuredRule rule : all_unmeasured_rules)
        EXPECT_TRUE(target.truth().was_tried(chosen(target, rule))) << name(rule);
}

TEST(UnmeasuredChoice, OfTreesLearnsTheOrderThatAllSourcesShare) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(3, 3)}, {"red2", best_at(3, 3)}, {"blue", best_at(3, 3)}});
    const TransferTarget target = target_in(space, 0);
    EXPECT_LT(target.truth().regret(chosen(target, UnmeasuredRule::Trees)), 0.25);
}

TEST(UnmeasuredChoice, BlendsTreesWithTheCopyWhereNoMachineOfTheGenerationIsKnown) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(6, 1)}, {"red2", best_at(6, 1)}, {"blue", best_at(0, 7)}});
    const auto scores = [&](std::size_t column, UnmeasuredRule rule) {
        return must(unmeasured_scores(target_in(space, column), rule, sheets(), {}));
    };
    EXPECT_EQ(scores(0, UnmeasuredRule::Blend), scores(0, UnmeasuredRule::Copy));
    EXPECT_NE(scores(2, UnmeasuredRule::Blend), scores(2, UnmeasuredRule::Copy));
}

TimedSpace space_of(std::vector<std::string> decisions, std::vector<std::string> values) {
    TimedSpace space;
    space.decisions = std::move(decisions);
    space.choices.emplace_back(space.decisions.size(), std::uint16_t{0});
    for (std::string& value : values)
        space.values.push_back({std::move(value)});
    return space;
}

TEST(LaunchFeatures, AreThoseOfTheBlocksThatDecisionsMake) {
    const auto launches = launches_of(
        space_of({"block_size_x", "block_size_y", "tile_size_x", "use_shmem"}, {"32", "4", "2", "1"}));
    ASSERT_THAT(launches, ::testing::SizeIs(1));
    EXPECT_EQ(launches[0].threads, 128);
    EXPECT_EQ(launches[0].work, 2);
    EXPECT_EQ(launches[0].shared, 1024);
    const auto product = launches_of(
        space_of({"MWG", "NWG", "MDIMC", "NDIMC", "SA", "SB"}, {"64", "32", "16", "8", "1", "0"}));
    EXPECT_EQ(product.front().threads, 128);
    EXPECT_EQ(product.front().work, 16);
    EXPECT_EQ(product.front().shared, 4 * 32 * 64);
    EXPECT_THAT(launches_of(space_of({"unroll"}, {"4"})), ::testing::IsEmpty());
}

TEST(LaunchFeatures, FollowTheSheetOfTheMachine) {
    const Launch launch{.threads = 96, .work = 2, .shared = 16'384};
    const MachineSheet sheet{{{"warp_size", 32}, {"cores", 10}, {"l1_kb", 64}}, {}};
    const MachineSheet wide{{{"warp_size", 64}, {"cores", 10}, {"l1_kb", 128}}, {}};
    EXPECT_THAT(
        launch_features(launch, sheet),
        ElementsAre(96, 2, 0.25, 1, 4, 4.0F * 96 / 2048, ::testing::FloatEq(std::log(4 * 96 * 2 * 10.0F))));
    EXPECT_EQ(launch_features(launch, wide)[3], 0.75F) << "half of the second warp is empty";
    EXPECT_EQ(launch_features(launch, wide)[4], 8) << "twice the shared memory";
    for (const float number : launch_features({.threads = 4096, .work = 1000, .shared = 1e6}, {}))
        EXPECT_TRUE(std::isfinite(number));
}

TEST(UnmeasuredChoice, NeedsAnotherMachine) {
    const TimedSpace space = grid("w", {{"red1", best_at(3, 3)}});
    EXPECT_FALSE(unmeasured_scores(target_in(space, 0), UnmeasuredRule::Copy, sheets(), {}));
}

/// On the workload itself only another maker's machine is known; on a kindred one the same maker's.
TEST(Kin, HelpsWhereOnlyAnotherMakerRanTheWorkload) {
    std::vector<TimedSpace> spaces{grid("small", {{"red1", best_at(6, 1)}, {"blue", best_at(0, 7)}}),
                                   grid("large", {{"red2", best_at(6, 1)}, {"red1", best_at(4, 4)}})};
    add_kin(spaces);
    const TransferTarget target = target_in(spaces[0], 0);
    EXPECT_EQ(chosen(target, UnmeasuredRule::Nearest), place(0, 7));
    EXPECT_EQ(chosen(target, UnmeasuredRule::Copy), place(6, 1))
        << "and not what red1 itself did on the other";
}

TEST(Kin, NeedsAllDecisionsAndTakesTheBestOfTheOthers) {
    TimedSpace with_z = grid("z", {{"red2", best_at(2, 2)}});
    with_z.decisions.emplace_back("z");
    with_z.values.push_back({"1", "2"});
    for (auto& row : with_z.choices)
        row.push_back(0);
    std::vector<TimedSpace> spaces{grid("w", {{"red1", best_at(0, 0)}}), with_z};
    add_kin(spaces);
    ASSERT_THAT(spaces[0].kin, SizeIs(1));
    EXPECT_EQ(spaces[0].kin[0].milliseconds, with_z.columns[0].milliseconds);
    EXPECT_THAT(spaces[1].kin, IsEmpty()) << "what says nothing of z";
}

TEST(RandomSearch, HasTheMeanRegretOverAllDraws) {
    const TimedColumn column{"m", "m", {1, 2, 3, untried}};
    EXPECT_THAT(regret_of_random_search(column, 1), DoubleNear(1, 1e-12));
    EXPECT_THAT(regret_of_random_search(column, 2), DoubleNear(1.0 / 3, 1e-12));
    EXPECT_THAT(regret_of_random_search(column, 3), DoubleNear(0, 1e-12));
    EXPECT_THAT(regret_of_random_search(column, 100), DoubleNear(0, 1e-12)) << "there are no more";
}

double regret(const TransferTarget& target, MeasuringRule rule, std::size_t count) {
    return must(regrets_by_measuring(target, rule, sheets(), std::span(&count, 1), {})).front();
}

TEST(FewMeasurements, CorrectACopyThatIsWrong) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(0, 7)}, {"red2", best_at(6, 1)}, {"blue", best_at(1, 6)}});
    const TransferTarget target = target_in(space, 0);
    EXPECT_GT(regret(target, MeasuringRule::Corrected, 1), 1) << "the copy follows the sheets";
    EXPECT_LT(regret(target, MeasuringRule::Corrected, 10), 0.01);
    EXPECT_GT(regret(target, MeasuringRule::Random, 10), 0.1);
}

TEST(FewMeasurements, GoOnWhereTheFirstOnesFail) {
    const TimedSpace space = grid(
        "w", {{"red1", [](std::size_t x, std::size_t y) { return x > 4 ? never_ran : best_at(4, 1)(x, y); }},
              {"red2", best_at(6, 1)},
              {"blue", best_at(0, 7)}});
    EXPECT_LT(regret(target_in(space, 0), MeasuringRule::Corrected, 20), 0.15) << "a third of all";
}

TEST(FewMeasurements, TakeTheSourcesInTurn) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(0, 7)}, {"red2", best_at(6, 1)}, {"blue", best_at(0, 7)}});
    const TransferTarget target = target_in(space, 0);
    EXPECT_GT(regret(target, MeasuringRule::Sources, 1), 1) << "the best of red2";
    EXPECT_EQ(regret(target, MeasuringRule::Sources, 2), 0) << "the best of blue";
}

TEST(FewMeasurements, FromScratchNeedNoOtherMachine) {
    const TimedSpace space = grid("w", {{"red1", best_at(5, 2)}});
    const TransferTarget target = target_in(space, 0);
    EXPECT_EQ(regret(target, MeasuringRule::Scratch, side * side), 0) << "all of them";
    EXPECT_EQ(regret(target, MeasuringRule::Scratch, 10), regret(target, MeasuringRule::Scratch, 10));
}

TEST(LearnedOrder, CorrelatesRanks) {
    const std::vector<double> one{1, 2, 3, 4};
    EXPECT_THAT(rank_correlation(one, std::vector<double>{10, 20, 30, 1000}), DoubleNear(1, 1e-12));
    EXPECT_THAT(rank_correlation(one, std::vector<double>{4, 3, 2, never_ran}), DoubleNear(0.2, 1e-12));
    EXPECT_THAT(rank_correlation(one, std::vector<double>{1, 1, 2, 2}), DoubleNear(2 / std::sqrt(5), 1e-12))
        << "equal values share a rank";
    EXPECT_EQ(rank_correlation(one, std::vector<double>{7, 7, 7, 7}), 0);
}

TEST(LearnedOrder, CorrectsACopyAndChoosesASource) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(0, 7)}, {"red2", best_at(6, 1)}, {"blue", best_at(0, 6)}});
    const TransferTarget target = target_in(space, 0);
    const LearnedOrder order = learned_order(target, order_prior(target, sheets()), 10, 1);
    EXPECT_GT(order.corrected, 0.8);
    EXPECT_GT(order.source, 0.9) << "blue, though its sheet is far";
}

TEST(TimedSpace, CountsValuesThatSeveralDecisionsHave) {
    const TimedSpace space = grid("w", {{"red1", best_at(3, 3)}});
    EXPECT_EQ(space.value_surface().width, 2 * side + side)
        << "each value of x and y, and how often it is chosen";
    TimedSpace apart = space;
    for (std::string& value : apart.values[1])
        value = "y" + value;
    EXPECT_EQ(apart.value_surface().width, 2 * side) << "no value is shared";
}

TEST(LearnedOrder, LeavesOutWhatIsOfTheSameKind) {
    KnownSheets known = sheets();
    known.by_machine.at("red1").texts["kind"] = known.by_machine.at("red2").texts["kind"] = "GPU";
    known.by_machine.at("blue").texts["kind"] = "CPU";
    std::vector<TimedSpace> spaces{
        grid("w", {{"red1", best_at(6, 1)}, {"red2", best_at(6, 1)}, {"blue", best_at(0, 7)}}),
        grid("kin", {{"red2", best_at(6, 1)}, {"blue", best_at(0, 7)}})};
    add_kin(spaces);
    const auto other = without_its_kind(target_in(spaces[0], 0), known);
    ASSERT_TRUE(other);
    EXPECT_THAT(other->sources, ElementsAre(2));
    EXPECT_THAT(source_logs_with_kin(*other, known).logs, SizeIs(2)) << "blue, and its kindred times";
    EXPECT_FALSE(without_its_kind(target_in(spaces[0], 0), sheets())) << "no kind is known";
}

TEST(CorrectedCopy, NeverMeasuresTheSameTwice) {
    const TimedSpace space =
        grid("w", {{"red1", best_at(0, 7)}, {"red2", best_at(6, 1)}, {"blue", best_at(1, 6)}});
    CorrectedCopy copy(copied_prior(target_in(space, 0), sheets()));
    std::vector<std::size_t> measured;
    while (const auto next = copy.next()) {
        EXPECT_THAT(measured, ::testing::Not(Contains(*next)));
        measured.push_back(*next);
        copy.measured(*next, space.columns[0].milliseconds[*next]);
    }
    EXPECT_THAT(measured, SizeIs(side * side));
}

} // namespace
} // namespace sparsight
