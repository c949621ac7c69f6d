#include "evaluation/speedup_summary.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

/// Fixed CSR takes 12 ms everywhere.
MatrixSpeedup took(const char* matrix, double best_ms, double best_known_ms) {
    return {matrix, 12, best_ms, best_known_ms};
}

const std::vector<MatrixSpeedup> three{took("a", 6, 6), took("b", 12, 10), took("c", 24, 8)};

TEST(SpeedupSummary, HasTheFiguresOfTheReport) {
    const SpeedupSummary summary = *summarise_speedups(three);
    EXPECT_EQ(summary.matrices, 3U);
    EXPECT_DOUBLE_EQ(summary.mean_relative.value, (1 + 0 - 0.5) / 3) << "speedups of 2, 1 and ½";
    EXPECT_DOUBLE_EQ(summary.mean_relative_with_fallback.value, 1.0 / 3) << "c is run as fixed CSR";
    EXPECT_DOUBLE_EQ(summary.geometric_mean.value, 1);
    EXPECT_DOUBLE_EQ(summary.median.value, 1);
    EXPECT_DOUBLE_EQ(summary.losing.value, 1.0 / 3) << "as fast as fixed CSR is no loss";
    EXPECT_DOUBLE_EQ(summary.worst, 0.5);
    EXPECT_EQ(summary.worst_matrix, "c");
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
    const std::vector<MatrixSpeedup> other{took("a", 12, 6), took("b", 12, 10), took("c", 12, 8)};
    const SpeedupComparison comparison = *compare_speedups(three, other);
    EXPECT_EQ(comparison.first_faster, 1);
    EXPECT_EQ(comparison.second_faster, 1);
    EXPECT_DOUBLE_EQ(comparison.geometric_ratio.value, 1) << "twice as fast on a, half as fast on c";
    EXPECT_DOUBLE_EQ(comparison.mean_relative_difference.value, 0.5 / 3);
}

TEST(SpeedupComparison, IsSureOfASmallGainThatIsTheSameOnEveryMatrix) {
    std::vector<MatrixSpeedup> first;
    std::vector<MatrixSpeedup> second;
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
