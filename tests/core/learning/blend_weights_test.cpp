#include "learning/blend_weights.h"

#include "base/random.h"

#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <limits>
#include <utility>

namespace sparsight {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

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
        EXPECT_EQ(fit.matrices, 8U);
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
        EXPECT_EQ(fit.matrices, 25U);
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
