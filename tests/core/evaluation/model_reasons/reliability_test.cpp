#include "evaluation/model_reasons/reliability.h"

#include "base/random.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

/// Pairs whose measured difference is normal about the stated one; the model states a deviation that is
/// `overstated` times the true one.
std::vector<StatedDifference> gaussian_pairs(double overstated, std::size_t workloads, std::uint64_t seed) {
    Random random(seed);
    std::vector<StatedDifference> pairs;
    for (std::size_t workload = 0; workload < workloads; ++workload)
        for (int each = 0; each < 100; ++each) {
            const double deviation = 0.2 + 0.4 * random.uniform();
            const double stated = 0.6 * random.normal();
            pairs.push_back({workload, stated, stated + deviation * random.normal(), overstated * deviation});
        }
    return pairs;
}

TEST(Reliability, AGaussianModelThatStatesTheTruthIsOnTheDiagonal) {
    const Reliability found = reliability_of(gaussian_pairs(1, 100, 1), {});
    EXPECT_EQ(found.pairs, 10'000);
    EXPECT_EQ(found.workloads, 100);
    EXPECT_LT(found.error, 0.02);
    EXPECT_EQ(found.error, found.uncalibrated_error);
    EXPECT_NEAR(found.within.value, 0.95, 0.01);
    ASSERT_EQ(found.bins.size(), 10U);
    for (const CalibrationBin& bin : found.bins) {
        EXPECT_GE(bin.predicted, bin.lowest);
        EXPECT_LE(bin.predicted, bin.highest);
        EXPECT_NEAR(bin.observed.value, bin.predicted, 0.06);
        EXPECT_LE(bin.observed.lowest, bin.observed.value);
        EXPECT_GE(bin.observed.highest, bin.observed.value);
    }
}

TEST(Reliability, ATooCarefulModelIsRightMoreOftenThanItStates) {
    const Reliability found = reliability_of(gaussian_pairs(3, 100, 2), {});
    EXPECT_GT(found.error, 0.08);
    for (const CalibrationBin& bin : found.bins)
        EXPECT_GT(bin.observed.value, bin.predicted - 0.03);
}

TEST(Reliability, OneTemperatureMakesItAsSureAsItIsRight) {
    for (const double overstated : {3.0, 0.4}) {
        const auto factors = calibrated_factors(gaussian_pairs(overstated, 40, 3));
        ASSERT_TRUE(factors);
        EXPECT_NEAR(std::log(factors->temperature), std::log(1 / overstated), 0.15);
        EXPECT_NEAR(std::log(factors->reach), std::log(1.96 / overstated), 0.08);
        const Reliability other = reliability_of(gaussian_pairs(overstated, 100, 4), *factors);
        EXPECT_LT(other.error, 0.02) << "on workloads that chose nothing";
        EXPECT_GT(other.uncalibrated_error, 0.08);
        EXPECT_NEAR(other.within.value, 0.95, 0.015);
    }
}

TEST(Reliability, ATemperatureTakesSeveralWorkloads) {
    EXPECT_FALSE(calibrated_factors(gaussian_pairs(3, 2, 1)));
    EXPECT_TRUE(calibrated_factors(gaussian_pairs(3, 3, 1)));
    EXPECT_FALSE(calibrated_factors({}));
}

TEST(Reliability, AFewPairsThatAreAllRightMakeNoModelCertain) {
    const std::vector<StatedDifference> pairs{{0, 1, 1, 1}, {1, 1, 2, 1}, {2, -1, -1, 1}};
    const auto factors = calibrated_factors(pairs);
    ASSERT_TRUE(factors);
    EXPECT_LT(factors->temperature, 1);
    EXPECT_GT(factors->temperature, 0.2);
}

TEST(Reliability, TiesHaveNoOrderAndAreWithinTheirInterval) {
    const Reliability found =
        reliability_of(std::vector<StatedDifference>{{0, 0.1, 0, 1}, {0, 0.5, 0.4, 1}}, {});
    EXPECT_EQ(found.pairs, 1);
    EXPECT_EQ(found.within.draws, 2);
    EXPECT_EQ(found.within.value, 1);
}

TEST(Reliability, IsStoredAsNumbersAndReadAgain) {
    const Reliability found = reliability_of(gaussian_pairs(2, 5, 5), {0.5, 1.1});
    EXPECT_EQ(from_numbers(to_numbers(found)), found);
    EXPECT_FALSE(from_numbers({})) << "runs from before it was checked";
    EXPECT_FALSE(from_numbers(to_numbers({})));
}

} // namespace
} // namespace sparsight
