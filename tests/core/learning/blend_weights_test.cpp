#include "base/random.h"
#include "learning/fine_tuning/blend_weights.h"
#include "learning/training/model_verdicts.h"
#include "study/ranking_metrics.h"

#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <limits>
#include <span>
#include <utility>

namespace sparsight {
namespace {

GainBy part_that_gained(double before, std::optional<double> network_alone, double after) {
    return finetune_verdict_of(before, network_alone, std::nullopt, after)
        .value_or(FinetuneVerdict())
        .gained_by;
}

TEST(GainBy, NamesThePartThatBroughtTheGain) {
    EXPECT_EQ(part_that_gained(0.641, 0.620, 0.870), GainBy::Simulator) << "the network alone lost";
    EXPECT_EQ(part_that_gained(0.6, 0.89, 0.9), GainBy::Network);
    EXPECT_EQ(part_that_gained(0.6, 0.75, 0.9), GainBy::Both);
    EXPECT_EQ(part_that_gained(0.6, 0.7, 0.6), GainBy::Nothing);
    EXPECT_EQ(part_that_gained(0.6, std::nullopt, 0.9), GainBy::Network) << "no simulator has a share";
    EXPECT_EQ(finetune_verdict_of(0.783, 0.821, 0.925, 0.925)->gained_by, GainBy::Simulator)
        << "the network has learned, but the simulator alone is as good as both";
    EXPECT_FALSE(finetune_verdict_of(std::nullopt, 0.7, 0.8, 0.9));
}

TEST(FinetuneVerdict, OfAGrayBoxComparesItWithItsSimulator) {
    const auto corrected = finetune_verdict_of(0.80, std::nullopt, 0.85, 0.90);
    ASSERT_TRUE(corrected);
    EXPECT_EQ(corrected->gained_by, GainBy::Both);
    EXPECT_EQ(corrected->corrected_simulator, 0.85);
    EXPECT_NEAR(corrected->gained_by_correction().value_or(0), 0.05, 1e-12);
    EXPECT_EQ(finetune_verdict_of(0.8, std::nullopt, 0.9, 0.9)->gained_by, GainBy::Simulator);
    EXPECT_EQ(finetune_verdict_of(0.8, std::nullopt, 0.8, 0.9)->gained_by, GainBy::Network);
    EXPECT_FALSE(finetune_verdict_of(0.8, 0.7, 0.9, 0.9)->gained_by_correction()) << "it is a blend";
    EXPECT_FALSE(finetune_verdict_of(0.8, std::nullopt, std::nullopt, 0.9)->gained_by_correction());
}

TEST(FinetuneVerdict, HasOneLimitForGainAndLoss) {
    const auto worth = [](double before, double after) {
        return finetune_verdict_of(before, std::nullopt, std::nullopt, after)
            .value_or(FinetuneVerdict())
            .worth;
    };
    EXPECT_EQ(worth(0.8, 0.8009), FinetuneWorth::Equal);
    EXPECT_EQ(worth(0.8, 0.7991), FinetuneWorth::Equal);
    EXPECT_EQ(worth(0.8, 0.8011), FinetuneWorth::Better);
    EXPECT_EQ(worth(0.8, 0.7989), FinetuneWorth::Worse);
    EXPECT_EQ(part_that_gained(0.8, std::nullopt, 0.8009), GainBy::Nothing)
        << "no part brought what is no gain";
}

TEST(BlendVerdict, ComparesBothWithTheBetterOneAlone) {
    const auto better = blend_verdict_of(0.8, 0.9, 0.95);
    ASSERT_TRUE(better);
    EXPECT_EQ(better->worth, BlendWorth::Better);
    EXPECT_EQ(better->better, BlendPart::Simulator);
    EXPECT_EQ(better->alone, 0.9);
    EXPECT_NEAR(better->gained, 0.05, 1e-12);
    const auto worse = blend_verdict_of(0.9, 0.8, 0.85);
    ASSERT_TRUE(worse);
    EXPECT_EQ(worse->worth, BlendWorth::Worse);
    EXPECT_EQ(worse->better, BlendPart::Network);
}

TEST(BlendVerdict, TakesForNoDifferenceWhatIsShownNowhere) {
    EXPECT_EQ(blend_verdict_of(0.8, 0.9, 0.9004)->worth, BlendWorth::Equal);
    EXPECT_EQ(blend_verdict_of(0.8, 0.9, 0.8996)->worth, BlendWorth::Equal);
    EXPECT_EQ(blend_verdict_of(0.8, 0.9, 0.8994)->worth, BlendWorth::Worse);
}

TEST(BlendVerdict, SaysNothingOfWhatIsNotKnown) {
    EXPECT_FALSE(blend_verdict_of({}, 0.9, 0.9));
    EXPECT_FALSE(blend_verdict_of(0.9, {}, 0.9));
    EXPECT_FALSE(blend_verdict_of(0.9, 0.9, {}));
}

TEST(BlendVerdict, FindsThePartWithoutAShare) {
    EXPECT_EQ(part_without_share(0, 1), BlendPart::Network);
    EXPECT_EQ(part_without_share(1, 0), BlendPart::Simulator);
    EXPECT_EQ(part_without_share(1, 1), std::nullopt);
}

TEST(BlendVerdict, ComparesTopPicksByWhatTheyLose) {
    const auto worse = selection_verdict_of(0.3, 0.1, 0.2);
    ASSERT_TRUE(worse);
    EXPECT_EQ(worse->worth, BlendWorth::Worse);
    EXPECT_EQ(worse->better, BlendPart::Simulator);
    EXPECT_EQ(worse->alone, 0.1);
    EXPECT_NEAR(worse->gained, -0.1, 1e-12);
    EXPECT_EQ(selection_verdict_of(0.3, 0.1, 0.104)->worth, BlendWorth::Equal);
    EXPECT_EQ(selection_verdict_of(0.1, 0.3, 0.05)->worth, BlendWorth::Better);
    EXPECT_FALSE(selection_verdict_of(0.3, {}, 0.2));
}

TEST(BlendVerdict, OfPairsAndOfPicksContradictWhereOneAloneIsWorse) {
    const auto pairs = blend_verdict_of(0.8, 0.9, 0.95);
    EXPECT_TRUE(contradict(*pairs, *selection_verdict_of(0.3, 0.1, 0.2)));
    EXPECT_FALSE(contradict(*pairs, *selection_verdict_of(0.3, 0.1, 0.1)));
    EXPECT_FALSE(contradict(*blend_verdict_of(0.8, 0.9, 0.85), *selection_verdict_of(0.3, 0.1, 0.2)));
}

using ::testing::ElementsAre;

constexpr double never = std::numeric_limits<double>::infinity();

/// The same in every one of four families.
DirectionFigures alike(double in_order, double selection_loss) {
    return {std::vector(4, in_order), std::vector(4, selection_loss)};
}

TEST(BlendWeights, AreToldByFamiliesThatHadNoSayInThem) {
    // Two families where the simulator is right and the network wrong, and two the other way round.
    std::vector<BlendExamples> workloads;
    for (std::size_t family = 0; family < 4; ++family) {
        const double by_simulator = family < 2 ? 2 : -1;
        BlendExamples examples{{}, {}, {1, 2, 4, 8}, {}, family};
        for (int place = 0; place < 4; ++place) {
            examples.log_simulated.push_back(by_simulator * place);
            examples.network.push_back(-by_simulator * place);
        }
        workloads.push_back(std::move(examples));
    }
    const BlendFit fit = fit_blend_weights(workloads);
    ASSERT_TRUE(fit.is_learned);
    EXPECT_EQ(fit.in_order, 0.5);
    EXPECT_EQ(fit.held_out_in_order, 0) << "without each family the others choose what is wrong for it";
    workloads.resize(1);
    EXPECT_EQ(fit_blend_weights(workloads).held_out_in_order, 1) << "there are no others";
}

TEST(BlendWeights, AreToldByTheEvaluatorOfEveryScore) {
    // The network errs on one pair of six, the slowest two, which its own criterion hardly counts.
    std::vector<BlendExamples> workloads;
    for (std::size_t family = 0; family < 3; ++family)
        workloads.push_back({{1, 2, 4, 3}, {1, 2, 3, 4}, {1, 2, 40, 80}, {}, family});
    const BlendFit fit = fit_blend_weights(workloads);
    const auto quality = [&](const std::vector<double>& scores) {
        return *ranking_quality(std::span<const double>(scores), workloads[0].known()).ordered_pairs;
    };
    EXPECT_DOUBLE_EQ(fit.network_pairs, quality(workloads[0].network));
    EXPECT_DOUBLE_EQ(fit.network_pairs, 5.0 / 6);
    EXPECT_GT(fit.network_in_order, fit.network_pairs + 0.05);
    EXPECT_DOUBLE_EQ(fit.simulator_pairs, 1);
    EXPECT_DOUBLE_EQ(fit.held_out_pairs, 1);
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
    EXPECT_EQ(chosen.reason, DirectionReason::SelectionOnly);
}

TEST(BlendDirection, IsNotMovedByWhatIsNoDifferenceOrMayBeChance) {
    const double little = least_selection_difference / 2;
    EXPECT_EQ(
        choose_direction(std::vector{alike(0.7, 0.1), alike(0.9, 0.1 + little), alike(0.8, 0.2)}).reason,
        DirectionReason::Pairs);
    std::vector once{alike(0.7, 0.1), alike(0.9, 0.1), alike(0.8, 0.2)};
    once[1].selection_loss[2] = 0.5; // one of four families tells no more than its own chance
    EXPECT_EQ(choose_direction(once).reason, DirectionReason::Pairs);
    once[1].selection_loss = {0.5, 0.1, 0.5, 0.5};
    EXPECT_NE(choose_direction(once).place, 1U);
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
    const SelectionLoss loss = selection_loss(scores, milliseconds);
    EXPECT_THAT(loss.regret, ElementsAre(0.5, 0.0)) << "the best 5, the best 20";
    EXPECT_EQ(loss.mean(), 0.25);
}

TEST(SelectionLoss, TakesFailuresForTheSlowestAndNoNumberForTheLast) {
    const std::vector<double> failed{never, never, never, never, never, 3, 1};
    EXPECT_EQ(selection_loss(std::vector<double>{0, 1, 2, 3, 4, 5, 6}, failed).regret[0], 2);
    EXPECT_EQ(selection_loss(std::vector<double>{std::nan(""), 1, 2, 3, 4, 5, 0}, failed).regret[0], 0);
    EXPECT_EQ(selection_loss(std::vector<double>{0, 1}, std::vector{never, never}).mean(), 0);
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
    EXPECT_LE(fit.picks.mean(), fit.simulator_picks.mean() + least_selection_difference);
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
              std::min(fit.network_picks.mean(), fit.simulator_picks.mean()) + least_selection_difference);
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
        EXPECT_EQ(fit.workloads, 8U);
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
        EXPECT_EQ(fit.workloads, 25U);
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
    EXPECT_FALSE(fit.is_learned);
    EXPECT_EQ(fit.weights, (BlendWeights{0, 1}));
    EXPECT_EQ(fit.in_order, fit.simulator_in_order) << "which is what scores";
    EXPECT_EQ(fit.network_share, 0);
    EXPECT_TRUE(fit_blend_weights(examples(0.5, 0.5)).is_learned);
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
