#include "learning/blend_direction.h"
#include "learning/blend_weights.h"
#include "learning/picks_loss.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

constexpr double never = std::numeric_limits<double>::infinity();

/// The same in every one of four families.
DirectionFigures alike(double in_order, double picks_loss) {
    return {std::vector(4, in_order), std::vector(4, picks_loss)};
}

TEST(BlendDirection, FollowsThePairsWhereThePicksOfThatAreNoWorse) {
    const ChosenDirection chosen =
        choose_direction(std::vector{alike(0.7, 0.1), alike(0.9, 0.1), alike(0.8, 0.2)});
    EXPECT_EQ(chosen.place, 1U);
    EXPECT_EQ(chosen.reason, DirectionReason::Pairs);
}

TEST(BlendDirection, MovesToTheNearestThatIsWorseThanNeitherSourceInPairsOrPicks) {
    const ChosenDirection chosen = choose_direction(
        std::vector{alike(0.7, 0.1), alike(0.75, 0.1), alike(0.78, 0.05), alike(0.9, 0.3), alike(0.7, 0.4)});
    EXPECT_EQ(chosen.by_pairs, 3U);
    EXPECT_EQ(chosen.place, 2U);
    EXPECT_EQ(chosen.reason, DirectionReason::Moved);
}

TEST(BlendDirection, FollowsThePicksWherePairsAndPicksContradictEachOther) {
    // The network orders most pairs, but its best are slow; mixtures of both order fewer pairs than it.
    const ChosenDirection chosen =
        choose_direction(std::vector{alike(0.7, 0.0), alike(0.75, 0.0), alike(0.8, 0.3), alike(0.9, 0.5)});
    EXPECT_EQ(chosen.by_pairs, 3U);
    EXPECT_EQ(chosen.place, 1U) << "of those with good picks the one that orders most pairs";
    EXPECT_EQ(chosen.reason, DirectionReason::PicksOnly);
}

TEST(BlendDirection, IsNotMovedByWhatIsNoDifferenceOrMayBeChance) {
    const double little = least_picks_difference / 2;
    EXPECT_EQ(
        choose_direction(std::vector{alike(0.7, 0.1), alike(0.9, 0.1 + little), alike(0.8, 0.2)}).reason,
        DirectionReason::Pairs);
    std::vector once{alike(0.7, 0.1), alike(0.9, 0.1), alike(0.8, 0.2)};
    once[1].picks_loss[2] = 0.5; // one of four families tells no more than its own chance
    EXPECT_EQ(choose_direction(once).reason, DirectionReason::Pairs);
    once[1].picks_loss = {0.5, 0.1, 0.5, 0.5};
    EXPECT_NE(choose_direction(once).place, 1U);
}

TEST(BlendDirection, TakesTheMeanOfAFamilyForOne) {
    EXPECT_THAT(means_of_families(std::vector{0.2, 1.0, 0.4}, std::vector<std::size_t>{7, 3, 7}),
                ElementsAre(::testing::DoubleEq(0.3), 1.0));
}

TEST(PicksLoss, IsWhatTheFastestOfTheBestLosesToTheFastestOfAll) {
    std::vector<double> scores;
    std::vector<double> milliseconds;
    for (int at = 0; at < 30; ++at) {
        scores.push_back(at);
        milliseconds.push_back(at == 10 ? 1.0 : at == 3 ? 1.5 : 2.0);
    }
    const PicksLoss loss = picks_loss(scores, milliseconds);
    EXPECT_THAT(loss.regret, ElementsAre(0.5, 0.0)) << "the best 5, the best 20";
    EXPECT_EQ(loss.mean(), 0.25);
}

TEST(PicksLoss, TakesFailuresForTheSlowestAndNoNumberForTheLast) {
    const std::vector<double> failed{never, never, never, never, never, 3, 1};
    EXPECT_EQ(picks_loss(std::vector<double>{0, 1, 2, 3, 4, 5, 6}, failed).regret[0], 2);
    EXPECT_EQ(picks_loss(std::vector<double>{std::nan(""), 1, 2, 3, 4, 5, 0}, failed).regret[0], 0);
    EXPECT_EQ(picks_loss(std::vector<double>{0, 1}, std::vector{never, never}).mean(), 0);
}

/// Most pairs are told apart by the network, but the fastest six by the simulator alone: the network takes
/// them for the slowest.
std::vector<BlendExamples> planted(int matrices) {
    std::vector<BlendExamples> examples(static_cast<std::size_t>(matrices));
    for (BlendExamples& matrix : examples)
        for (int at = 0; at < 60; ++at) {
            const bool is_fast = at < 6;
            matrix.milliseconds.push_back(is_fast ? 1 + 0.001 * at : 10 + at);
            matrix.network.push_back(is_fast ? 100 + at : at);
            matrix.log_simulated.push_back(is_fast ? 0 : 1);
        }
    return examples;
}

TEST(BlendWeightsByPicks, AreNotTheNetworksWhereItsBestAreSlow) {
    const BlendFit fit = fit_blend_weights(planted(5));
    EXPECT_GT(fit.network_picks.mean(), 5) << "six times as long";
    EXPECT_LT(fit.simulator_picks.mean(), 0.01);
    EXPECT_LE(fit.picks.mean(), fit.simulator_picks.mean() + least_picks_difference);
    EXPECT_GT(fit.weights.simulator, 0);
}

TEST(BlendWeightsByPicks, SayThatPairsWouldHaveChosenOtherwise) {
    std::vector<BlendExamples> examples = planted(5);
    for (BlendExamples& matrix : examples)
        for (std::size_t at = 0; at < matrix.milliseconds.size(); ++at) {
            // Beyond the six the simulator is wrong, and by more than the network says.
            if (at >= 6)
                matrix.log_simulated[at] = 1000 - 10 * static_cast<double>(at);
            matrix.milliseconds[at] =
                at < 6 ? 9 + 0.001 * static_cast<double>(at) : 10 + 0.01 * static_cast<double>(at);
        }
    const BlendFit fit = fit_blend_weights(examples);
    EXPECT_GT(fit.network_in_order, fit.simulator_in_order);
    EXPECT_NE(fit.reason, DirectionReason::Pairs);
    EXPECT_LE(fit.picks.mean(),
              std::min(fit.network_picks.mean(), fit.simulator_picks.mean()) + least_picks_difference);
}

} // namespace
} // namespace sparsight
