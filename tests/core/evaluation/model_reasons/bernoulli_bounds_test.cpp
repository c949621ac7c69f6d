#include "evaluation/model_reasons/bernoulli_bounds.h"

#include "base/random.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

TEST(BernoulliBounds, AreWhereTheDivergenceReachesTheLevel) {
    const BoundedShare bounds = divergence_bounds(70, 100, 2.5);
    EXPECT_DOUBLE_EQ(bounds.value, 0.7);
    EXPECT_NEAR(100 * coin_divergence(0.7, bounds.lowest), 2.5, 1e-6);
    EXPECT_NEAR(100 * coin_divergence(0.7, bounds.highest), 2.5, 1e-6);
    EXPECT_LT(bounds.lowest, 0.7);
    EXPECT_GT(bounds.highest, 0.7);
}

TEST(BernoulliBounds, OfAShareThatNeverFailedAreThoseOfTheFormula) {
    // 1: −n log q ≤ level
    EXPECT_NEAR(divergence_bounds(50, 50, 3).lowest, std::exp(-3.0 / 50), 1e-9);
    EXPECT_EQ(divergence_bounds(50, 50, 3).highest, 1);
    EXPECT_NEAR(divergence_bounds(0, 50, 3).highest, 1 - std::exp(-3.0 / 50), 1e-9);
}

TEST(BernoulliBounds, WithoutDrawsSayNothing) {
    EXPECT_EQ(divergence_bounds(0, 0, 3), BoundedShare{});
    EXPECT_EQ(wilson_bounds(0, 0), BoundedShare{});
}

TEST(BernoulliBounds, HoldAsOftenAsTheySay) {
    Random random(1);
    int outside = 0;
    int outside_wilson = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::int64_t successes = 0;
        for (int draw = 0; draw < 80; ++draw)
            successes += random.chance(0.3) ? 1 : 0;
        const BoundedShare chernoff = chernoff_bounds(successes, 80, 0.95);
        const BoundedShare wilson = wilson_bounds(successes, 80);
        outside += chernoff.lowest > 0.3 || chernoff.highest < 0.3 ? 1 : 0;
        outside_wilson += wilson.lowest > 0.3 || wilson.highest < 0.3 ? 1 : 0;
    }
    EXPECT_LT(outside, trials * 5 / 100);
    EXPECT_LT(outside_wilson, trials * 7 / 100);
    EXPECT_GT(outside_wilson, trials * 2 / 100);
}

// Looking after every batch and stopping at the worst one breaks bounds for a fixed number of draws.
TEST(BernoulliBounds, HoldAtAnyTimeAsOftenAsTheySay) {
    Random random(1);
    constexpr double share = 0.9;
    constexpr int trials = 500;
    int broken = 0;
    int broken_for_one_look = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::int64_t successes = 0;
        std::int64_t draws = 0;
        bool is_broken = false;
        bool is_broken_for_one_look = false;
        for (std::size_t batch = 1; batch <= 200; ++batch) {
            for (int draw = 0; draw < 10; ++draw)
                successes += random.chance(share) ? 1 : 0;
            draws += 10;
            is_broken |= divergence_bounds(successes, draws, anytime_level(1, batch, 0.9)).lowest > share;
            is_broken_for_one_look |= divergence_bounds(successes, draws, std::log(1 / 0.1)).lowest > share;
        }
        broken += is_broken ? 1 : 0;
        broken_for_one_look += is_broken_for_one_look ? 1 : 0;
    }
    EXPECT_LE(broken, trials / 10);
    EXPECT_GT(broken_for_one_look, trials / 10);
}

TEST(BernoulliBounds, LevelsAreThoseOfTheTheorem) {
    EXPECT_NEAR(anytime_level(4, 1, 0.95), std::log(11.1 * 4 / 0.05), 1e-9);
    const double rate = std::log(405.5 * 4 * std::pow(10, 1.1) / 0.05); // as in the code of the anchors paper
    EXPECT_NEAR(lucb_level(4, 10, 0.95), rate + std::log(rate), 1e-3);
}

} // namespace
} // namespace sparsight
