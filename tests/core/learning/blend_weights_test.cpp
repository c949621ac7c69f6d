#include "base/random.h"
#include "learning/fine_tuning/blend_weights.h"
#include "learning/training/model_verdicts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <limits>
#include <utility>

namespace sparsight {
namespace {

GainBy part_that_gained(double before, std::optional<double> simulator_alone, double after) {
    return finetune_verdict_of(before, simulator_alone, after).value_or(FinetuneVerdict()).gained_by;
}

TEST(GainBy, NamesThePartThatBroughtTheGain) {
    EXPECT_EQ(part_that_gained(0.8, 0.9, 0.9), GainBy::Simulator);
    EXPECT_EQ(part_that_gained(0.8, 0.8, 0.9), GainBy::Network);
    EXPECT_EQ(part_that_gained(0.8, 0.85, 0.9), GainBy::Both);
    EXPECT_EQ(part_that_gained(0.8, 0.7, 0.8), GainBy::Nothing);
    EXPECT_EQ(part_that_gained(0.6, std::nullopt, 0.9), GainBy::Network) << "it has no simulator";
    EXPECT_FALSE(finetune_verdict_of(std::nullopt, 0.8, 0.9));
}

TEST(FinetuneVerdict, OfAGrayBoxComparesItWithItsSimulator) {
    const auto corrected = finetune_verdict_of(0.80, 0.85, 0.90);
    ASSERT_TRUE(corrected);
    EXPECT_EQ(corrected->corrected_simulator, 0.85);
    EXPECT_NEAR(corrected->gained_by_correction().value_or(0), 0.05, 1e-12);
    EXPECT_FALSE(finetune_verdict_of(0.8, std::nullopt, 0.9)->gained_by_correction());
}

TEST(FinetuneVerdict, HasOneLimitForGainAndLoss) {
    const auto worth = [](double before, double after) {
        return finetune_verdict_of(before, std::nullopt, after).value_or(FinetuneVerdict()).worth;
    };
    EXPECT_EQ(worth(0.8, 0.8009), FinetuneWorth::Equal);
    EXPECT_EQ(worth(0.8, 0.7991), FinetuneWorth::Equal);
    EXPECT_EQ(worth(0.8, 0.8011), FinetuneWorth::Better);
    EXPECT_EQ(worth(0.8, 0.7989), FinetuneWorth::Worse);
    EXPECT_EQ(part_that_gained(0.8, std::nullopt, 0.8009), GainBy::Nothing)
        << "no part brought what is no gain";
}

TEST(BlendPart, IsFoundWhereItHasNoShare) {
    EXPECT_EQ(part_without_share(0, 1), BlendPart::Network);
    EXPECT_EQ(part_without_share(1, 0), BlendPart::Simulator);
    EXPECT_EQ(part_without_share(1, 1), std::nullopt);
}

using ::testing::ElementsAre;

constexpr double never = std::numeric_limits<double>::infinity();

/// The same in every one of four families.
DirectionFigures alike(double in_order, double selection_loss) {
    return {std::vector(4, in_order), std::vector(4, selection_loss)};
}

TEST(BlendDirection, FollowsThePairsWhereThePicksOfThatAreNoWorse) {
    EXPECT_EQ(choose_direction(std::vector{alike(0.7, 0.1), alike(0.9, 0.1), alike(0.8, 0.2)}), 1U);
}

TEST(BlendDirection, MovesToTheNearestThatIsWorseThanNeitherSourceInPairsOrPicks) {
    EXPECT_EQ(choose_direction(std::vector{alike(0.7, 0.1), alike(0.75, 0.1), alike(0.78, 0.05),
                                           alike(0.9, 0.3), alike(0.7, 0.4)}),
              2U)
        << "the pairs alone would have chosen the one behind it";
}

TEST(BlendDirection, FollowsThePicksWherePairsAndPicksContradictEachOther) {
    // The network orders most pairs, but its best are slow; mixtures of both order fewer pairs than it.
    EXPECT_EQ(
        choose_direction(std::vector{alike(0.7, 0.0), alike(0.75, 0.0), alike(0.8, 0.3), alike(0.9, 0.5)}),
        1U)
        << "of those with good picks the one that orders most pairs";
}

TEST(BlendDirection, IsNotMovedByWhatIsNoDifferenceOrMayBeChance) {
    const double little = least_selection_difference / 2;
    EXPECT_EQ(choose_direction(std::vector{alike(0.7, 0.1), alike(0.9, 0.1 + little), alike(0.8, 0.2)}), 1U);
    std::vector once{alike(0.7, 0.1), alike(0.9, 0.1), alike(0.8, 0.2)};
    once[1].selection_loss[2] = 0.5; // one of four families tells no more than its own chance
    EXPECT_EQ(choose_direction(once), 1U);
    once[1].selection_loss = {0.5, 0.1, 0.5, 0.5};
    EXPECT_NE(choose_direction(once), 1U);
}

TEST(BlendDirection, TakesTheMeanOfAFamilyForOne) {
    EXPECT_THAT(means_of_families(std::vector{0.2, 1.0, 0.4}, std::vector<std::size_t>{7, 3, 7}),
                ElementsAre(::testing::DoubleEq(0.3), 1.0));
}

TEST(SelectionLoss, IsWhatTheFastestOfTheBestLosesToTheFastestOfAll) {
    std::vector<double> scores;
    std::vector<double> milliseconds;
    for (int at = 0; at < 30; ++at) {
        scores.push_back(at);
        milliseconds.push_back(at == 10 ? 1.0 : at == 3 ? 1.5 : 2.0);
    }
    EXPECT_EQ(selection_loss(scores, milliseconds), 0.25) << "half of the best 5, nothing of the best 20";
}

TEST(SelectionLoss, TakesFailuresForTheSlowestAndNoNumberForTheLast) {
    const std::vector<double> failed{never, never, never, never, never, 3, 1};
    EXPECT_EQ(selection_loss(std::vector<double>{0, 1, 2, 3, 4, 5, 6}, failed), 1) << "twice of the best 5";
    EXPECT_EQ(selection_loss(std::vector<double>{std::nan(""), 1, 2, 3, 4, 5, 0}, failed), 0);
    EXPECT_EQ(selection_loss(std::vector<double>{0, 1}, std::vector{never, never}), 0);
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

/// Of the sum of both, weighed.
double loss_of(const BlendExamples& matrix, const BlendWeights& weights) {
    std::vector<double> scores;
    for (std::size_t at = 0; at < matrix.network.size(); ++at)
        scores.push_back(weights.network * matrix.network[at] + weights.simulator * matrix.log_simulated[at]);
    return selection_loss(scores, matrix.milliseconds);
}

TEST(BlendWeightsByPicks, AreNotTheNetworksWhereItsBestAreSlow) {
    const std::vector<BlendExamples> examples = planted(5);
    const BlendFit fit = fit_blend_weights(examples);
    EXPECT_GT(loss_of(examples[0], {1, 0}), 5) << "six times as long";
    EXPECT_LT(loss_of(examples[0], {0, 1}), 0.01);
    EXPECT_LE(loss_of(examples[0], fit.weights), loss_of(examples[0], {0, 1}) + least_selection_difference);
    EXPECT_GT(fit.weights.simulator, 0);
}

TEST(BlendWeightsByPicks, AreChosenAgainstThePairs) {
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
    EXPECT_LE(loss_of(examples[0], fit.weights),
              std::min(loss_of(examples[0], {1, 0}), loss_of(examples[0], {0, 1})) +
                  least_selection_difference);
}

/// Runtimes of e^(what both sources see with so much error).
std::vector<BlendExamples> examples(double network_error, double simulator_error) {
    Random random(1);
    std::vector<BlendExamples> matrices(8);
    for (BlendExamples& matrix : matrices)
        for (int schedule = 0; schedule < 20; ++schedule) {
            const double truth = random.normal();
            matrix.milliseconds.push_back(std::exp(truth));
            matrix.network.push_back(truth + network_error * random.normal());
            matrix.log_simulated.push_back(truth + simulator_error * random.normal());
        }
    return matrices;
}

TEST(BlendWeights, TrustTheSourceThatErrsLess) {
    const BlendWeights network = fit_blend_weights(examples(0.2, 1)).weights;
    EXPECT_GT(network.network, 3 * network.simulator);
    const BlendWeights simulator = fit_blend_weights(examples(1, 0.2)).weights;
    EXPECT_GT(simulator.simulator, 3 * simulator.network);
}

TEST(BlendWeights, TrustBothWhereTheirErrorsAreTheirOwn) {
    const BlendWeights weights = fit_blend_weights(examples(0.5, 0.5)).weights;
    EXPECT_NEAR(weights.network / weights.simulator, 1, 0.3);
}

TEST(BlendWeights, GiveNoShareToASourceThatAddsNoMoreThanChance) {
    auto matrices = examples(0.3, 1);
    Random random(2);
    for (BlendExamples& matrix : matrices)
        for (double& simulated : matrix.log_simulated)
            simulated = random.normal(); // says nothing at all
    const BlendFit network = fit_blend_weights(matrices);
    EXPECT_EQ(network.weights.simulator, 0);
    EXPECT_EQ(network.network_share, 1);
    EXPECT_EQ(network.in_order, network.network_in_order);
    for (BlendExamples& matrix : matrices)
        std::swap(matrix.network, matrix.log_simulated);
    const BlendFit simulator = fit_blend_weights(matrices);
    EXPECT_EQ(simulator.weights.network, 0);
    EXPECT_EQ(simulator.network_share, 0);
}

TEST(BlendWeights, OrderNoFewerPairsThanEitherSourceAlone) {
    for (const auto& [network, simulator] : {std::pair(0.2, 1.0), {1.0, 0.2}, {0.5, 0.5}, {0.5, 0.6}}) {
        const BlendFit fit = fit_blend_weights(examples(network, simulator));
        EXPECT_GE(fit.in_order, fit.network_in_order);
        EXPECT_GE(fit.in_order, fit.simulator_in_order);
    }
    EXPECT_GT(fit_blend_weights(examples(0.5, 0.5)).in_order,
              fit_blend_weights(examples(0.5, 0.5)).network_in_order + 0.02)
        << "where both know something of their own, they are worth more together";
}

/// The network errs alike on all matrices; the simulator hits some and misses others.
std::vector<BlendExamples> examples_with_fickle_simulator(std::uint64_t seed) {
    Random random(seed);
    std::vector<BlendExamples> matrices(5);
    for (BlendExamples& matrix : matrices) {
        const double simulator_error = 3 * random.uniform();
        for (int schedule = 0; schedule < 12; ++schedule) {
            const double truth = random.normal();
            matrix.milliseconds.push_back(std::exp(truth));
            matrix.network.push_back(truth + 1.2 * random.normal());
            matrix.log_simulated.push_back(truth + simulator_error * random.normal());
        }
    }
    return matrices;
}

TEST(BlendWeights, NeverTrustTheFicklerSourceAloneWhereItIsTheWorseOne) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const BlendFit fit = fit_blend_weights(examples_with_fickle_simulator(seed));
        EXPECT_GE(fit.in_order, fit.network_in_order) << "seed " << seed;
        EXPECT_GE(fit.in_order, fit.simulator_in_order) << "seed " << seed;
    }
}

TEST(BlendWeights, LearnNoMoreOfSiblingsThanOfOneOfThem) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::vector<BlendExamples> once = examples_with_fickle_simulator(seed);
        std::vector<BlendExamples> matrices;
        for (std::size_t family = 0; family < once.size(); ++family)
            for (int sibling = 0; sibling < 5; ++sibling) {
                matrices.push_back(once[family]);
                matrices.back().family = family;
            }
        const BlendFit fit = fit_blend_weights(matrices);
        EXPECT_NEAR(fit.network_share, fit_blend_weights(once).network_share, 1e-6) << "seed " << seed;
    }
}

TEST(BlendWeights, CountAFamilyOnceInTheShareInOrder) {
    BlendExamples right{{1, 2}, {0, 0}, {1, 2}, {}, 7};
    BlendExamples wrong{{2, 1}, {0, 0}, {1, 2}, {}, {}};
    EXPECT_NEAR(fit_blend_weights(std::vector{right, wrong, right, right}).network_in_order, 0.5, 1e-12);
}

TEST(BlendWeights, AreThoseOfTheSimulatorWhereNoLengthIsLearned) {
    // The network orders six of ten pairs, and is off on the others by so much that it is worth nothing.
    const BlendExamples matrix{{1, 2, 3, 4, -100}, {0, 0, 0, 0, 0}, {1, 1.01, 1.02, 1.03, 1.04}, {}, {}};
    const BlendFit fit = fit_blend_weights(std::vector{matrix});
    EXPECT_GT(fit.network_in_order, fit.simulator_in_order);
    EXPECT_EQ(fit.weights, (BlendWeights{0, 1}));
    EXPECT_EQ(fit.in_order, fit.simulator_in_order) << "which is what scores";
    EXPECT_EQ(fit.network_share, 0);
}

TEST(BlendWeights, TakeTheMiddleOfWhatIsAsGoodAsTheBest) {
    // All three pairs are in order where the network counts from a quarter to five eighths of the simulator.
    const BlendExamples matrix{{1, 2, 0}, {1, 0, 5}, {1, 1.1, 4}, {}};
    const BlendWeights weights = fit_blend_weights(std::vector{matrix}).weights;
    const double ratio = weights.network / (4 * weights.simulator);
    EXPECT_NEAR(std::atan(ratio), (std::atan(0.25) + std::atan(0.625)) / 2, 0.02);
}

TEST(BlendWeights, DoNotDependOnTheUnitOfAScore) {
    auto matrices = examples(0.4, 0.6);
    const BlendWeights weights = fit_blend_weights(matrices).weights;
    for (BlendExamples& matrix : matrices)
        for (double& score : matrix.network)
            score *= 1000;
    const BlendWeights scaled = fit_blend_weights(matrices).weights;
    EXPECT_NEAR(scaled.network * 1000, weights.network, 1e-6 * weights.network);
    EXPECT_NEAR(scaled.simulator, weights.simulator, 1e-6 * weights.simulator);
}

TEST(BlendWeights, NeverFollowWhatMisleads) {
    auto matrices = examples(0.3, 0.3);
    for (BlendExamples& matrix : matrices)
        for (double& score : matrix.network)
            score = -score;
    const BlendWeights weights = fit_blend_weights(matrices).weights;
    EXPECT_EQ(weights.network, 0);
    EXPECT_GT(weights.simulator, 0);
}

TEST(BlendWeights, AreTheSameOfEvenlyManyOfAllPairs) {
    BlendExamples few = examples(0.4, 0.6).front();
    BlendExamples many;
    for (int copy = 0; copy < 20; ++copy) // 400 schedules, of which 76,000 pairs are told apart
        for (std::size_t at = 0; at < few.milliseconds.size(); ++at) {
            many.milliseconds.push_back(few.milliseconds[at]);
            many.network.push_back(few.network[at]);
            many.log_simulated.push_back(few.log_simulated[at]);
        }
    const BlendWeights of_few = fit_blend_weights({&few, 1}).weights;
    const BlendWeights of_many = fit_blend_weights({&many, 1}).weights;
    EXPECT_NEAR(of_many.network / of_many.simulator, of_few.network / of_few.simulator,
                0.3 * of_few.network / of_few.simulator);
}

TEST(BlendWeights, TakeAFailureForSlowerThanAllThatRan) {
    const BlendExamples matrix{{1, 2, 0}, {0, 0, 0}, {1, never, never}, {}};
    EXPECT_EQ(fit_blend_weights(std::vector{matrix}).weights.network, 0)
        << "of two pairs the network orders one rightly: two failures are no pair";
    const BlendExamples right{{1, 2, 3}, {0, 0, 0}, {1, never, never}, {}};
    EXPECT_GT(fit_blend_weights(std::vector{right}).weights.network, 0);
}

TEST(BlendWeights, DoNotRankWhatMayBeEqual) {
    BlendExamples matrix{{1, 2, 0}, {1, 0, 5}, {1, 1.1, 4}, {0.1, 0.1, 0.1}};
    EXPECT_EQ(fit_blend_weights(std::vector{matrix}).weights.network, 0)
        << "it is right on the near-tie alone";
    matrix.spreads.clear();
    EXPECT_GT(fit_blend_weights(std::vector{matrix}).weights.network, 0) << "on which the simulator is wrong";
    EXPECT_EQ(fit_blend_weights({}).weights, (BlendWeights{0, 1})) << "the simulator needs no examples";
}

} // namespace
} // namespace sparsight
