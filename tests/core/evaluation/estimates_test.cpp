#include "base/random.h"
#include "evaluation/estimates.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

std::vector<double> normal_sample(std::size_t size, double centre, double deviation, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values(size);
    for (double& value : values)
        value = centre + deviation * random.normal();
    return values;
}

double deviation_of(const std::vector<double>& values) {
    double squares = 0;
    for (const double value : values)
        squares += (value - mean(values)) * (value - mean(values));
    return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(Bootstrap, EstimatesWithTheValuesThemselves) {
    const std::vector<double> values{1, 2, 4, 1};
    EXPECT_DOUBLE_EQ(bootstrap(values, &mean).value, 2);
    EXPECT_DOUBLE_EQ(bootstrap(values, &median).value, 1.5);
    EXPECT_DOUBLE_EQ(bootstrap(values, &geometric_mean).value, std::pow(8, 0.25));
}

TEST(Bootstrap, OfAMeanAgreesWithTheNormalTheory) {
    const std::vector<double> values = normal_sample(400, 10, 2, 5);
    const Interval interval = *bootstrap(values, &mean).interval;
    const double half = 1.959964 * deviation_of(values) / std::sqrt(400.0);
    EXPECT_NEAR(interval.low, mean(values) - half, 0.05 * half);
    EXPECT_NEAR(interval.high, mean(values) + half, 0.05 * half);
}

TEST(Bootstrap, OfAShareAgreesWithTheBinomialTheory) {
    std::vector<double> losses(100, 0);
    std::fill_n(losses.begin(), 30, 1.0);
    const Interval interval = *bootstrap(losses, &mean).interval;
    EXPECT_NEAR(interval.low, 0.21, 0.011) << "the 2.5 % quantile of Binomial(100, 0.3) is 21";
    EXPECT_NEAR(interval.high, 0.39, 0.011) << "the 97.5 % quantile of Binomial(100, 0.3) is 39";
}

TEST(Bootstrap, CoversTheTruthAboutAsOftenAsItSays) {
    int covered = 0;
    constexpr int samples = 400;
    for (int sample = 0; sample < samples; ++sample) {
        const auto values = normal_sample(40, 1.1, 0.3, 1000 + static_cast<std::uint64_t>(sample));
        const Estimate estimate = bootstrap(values, &mean, {.resamples = 1000});
        covered += estimate.interval->contains(1.1) ? 1 : 0;
    }
    EXPECT_GT(covered, samples * 90 / 100);
    EXPECT_LT(covered, samples * 99 / 100);
}

TEST(Bootstrap, WidensWithTheConfidence) {
    const auto values = normal_sample(50, 0, 1, 3);
    const Interval half = *bootstrap(values, &mean, {.confidence = 0.5}).interval;
    const Interval most = *bootstrap(values, &mean, {.confidence = 0.99}).interval;
    EXPECT_GT(most.high - most.low, 3 * (half.high - half.low))
        << "2.576 standard errors each side against 0.674";
}

TEST(Bootstrap, IsDecidedByItsSeed) {
    const auto values = normal_sample(30, 0, 1, 7);
    EXPECT_EQ(bootstrap(values, &mean, {.seed = 4}), bootstrap(values, &mean, {.seed = 4}));
    EXPECT_NE(bootstrap(values, &mean, {.seed = 4}), bootstrap(values, &mean, {.seed = 5}));
}

TEST(Bootstrap, KnowsNoSpreadOfASingleValueAndNoneWhereAllAreEqual) {
    EXPECT_FALSE(bootstrap(std::vector<double>{3}, &mean).interval.has_value());
    EXPECT_EQ(bootstrap(std::vector<double>{3, 3, 3}, &mean).interval, (Interval{3, 3}));
}

TEST(PairedDifference, DoesNotSufferFromWhatBothHaveInCommon) {
    const auto hard = normal_sample(60, 0, 5, 11);
    const auto noise = normal_sample(60, 0, 0.1, 12);
    std::vector<double> better;
    for (std::size_t at = 0; at < hard.size(); ++at)
        better.push_back(hard[at] + 1 + noise[at]);
    const Estimate difference = paired_difference(better, hard, &mean);
    EXPECT_NEAR(difference.value, 1 + mean(noise), 1e-12);
    EXPECT_GT(difference.interval->low, 0.9) << "although each alone is known to ± 1.3 only";
    EXPECT_LT(difference.interval->high, 1.1);
}

TEST(PairedDifference, OfMeansIsTheMeanOfTheDifferences) {
    const auto first = normal_sample(25, 2, 1, 21);
    const auto second = normal_sample(25, 1, 1, 22);
    std::vector<double> differences;
    for (std::size_t at = 0; at < first.size(); ++at)
        differences.push_back(first[at] - second[at]);
    const Estimate paired = paired_difference(first, second, &mean);
    const Estimate direct = bootstrap(differences, &mean);
    EXPECT_NEAR(paired.interval->low, direct.interval->low, 1e-12);
    EXPECT_NEAR(paired.interval->high, direct.interval->high, 1e-12);
}

/// Fixed CSR takes 12 ms everywhere.
WorkloadSpeedup took(const char* matrix, double best_ms, double best_known_ms) {
    return {matrix, 12, best_ms, best_known_ms};
}

const std::vector<WorkloadSpeedup> three{took("a", 6, 6), took("b", 12, 10), took("c", 24, 8)};

TEST(SpeedupSummary, HasTheFiguresOfTheReport) {
    const SpeedupSummary summary = *summarise_speedups(three);
    EXPECT_EQ(summary.workloads, 3U);
    EXPECT_DOUBLE_EQ(summary.mean_relative.value, (1 + 0 - 0.5) / 3) << "speedups of 2, 1 and ½";
    EXPECT_DOUBLE_EQ(summary.mean_relative_with_fallback.value, 1.0 / 3) << "c is run as fixed CSR";
    EXPECT_DOUBLE_EQ(summary.geometric_mean.value, 1);
    EXPECT_DOUBLE_EQ(summary.median.value, 1);
    EXPECT_DOUBLE_EQ(summary.losing.value, 1.0 / 3) << "as fast as fixed CSR is no loss";
    EXPECT_DOUBLE_EQ(summary.worst, 0.5);
    EXPECT_EQ(summary.worst_workload, "c");
    EXPECT_NEAR(summary.regret.value, std::cbrt(1 * 1.2 * 3) - 1, 1e-12);
}

TEST(SpeedupSummary, HasAnIntervalAroundEachFigure) {
    const SpeedupSummary summary = *summarise_speedups(three);
    for (const Estimate& estimate :
         {summary.mean_relative, summary.mean_relative_with_fallback, summary.geometric_mean, summary.median,
          summary.losing, summary.regret}) {
        ASSERT_TRUE(estimate.interval.has_value());
        EXPECT_TRUE(estimate.interval->contains(estimate.value));
    }
    EXPECT_FALSE(summarise_speedups(std::span(three).first(1))->mean_relative.interval.has_value());
}

TEST(SpeedupSummary, OfNoMatricesIsNone) {
    EXPECT_FALSE(summarise_speedups({}).has_value());
}

TEST(SpeedupComparison, CountsWinsAndAveragesTheRatioOfTheTimes) {
    const std::vector<WorkloadSpeedup> other{took("a", 12, 6), took("b", 12, 10), took("c", 12, 8)};
    const SpeedupComparison comparison = *compare_speedups(three, other);
    EXPECT_EQ(comparison.first_faster, 1);
    EXPECT_EQ(comparison.second_faster, 1);
    EXPECT_DOUBLE_EQ(comparison.geometric_ratio.value, 1) << "twice as fast on a, half as fast on c";
    EXPECT_DOUBLE_EQ(comparison.mean_relative_difference.value, 0.5 / 3);
}

TEST(SpeedupComparison, IsSureOfASmallGainThatIsTheSameOnEveryMatrix) {
    std::vector<WorkloadSpeedup> first;
    std::vector<WorkloadSpeedup> second;
    for (int matrix = 1; matrix <= 20; ++matrix) {
        const double best = 12.0 / matrix; // speedups from 1 to 20
        first.push_back(took("m", best / 1.02, 0.5));
        second.push_back(took("m", best, 0.5));
    }
    const SpeedupComparison comparison = *compare_speedups(first, second);
    EXPECT_NEAR(comparison.geometric_ratio.interval->low, 1.02, 1e-9);
    EXPECT_NEAR(comparison.geometric_ratio.interval->high, 1.02, 1e-9);
    EXPECT_GT(comparison.mean_relative_difference.interval->low, 0);
    const auto alone = summarise_speedups(first)->mean_relative.interval;
    EXPECT_TRUE(alone->contains(summarise_speedups(second)->mean_relative.value))
        << "which the intervals of each alone do not show";
}

TEST(SpeedupComparison, WantsTheSameMatrices) {
    EXPECT_FALSE(compare_speedups(three, std::span(three).first(2)).has_value());
    EXPECT_FALSE(compare_speedups({}, {}).has_value());
}

} // namespace
} // namespace sparsight
