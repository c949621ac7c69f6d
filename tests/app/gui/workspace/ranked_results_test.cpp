// Which speedups may be noise, and which compare times of two sessions.
#include "gui/workspace/ranked_results.h"

#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

ResultRow row(const char* schedule, double median, double spread,
              const char* measured = "2026-01-01T00:00:01Z") {
    ResultRow row;
    row.matrix = "m";
    row.schedule = schedule;
    row.status = MeasurementStatus::Measured;
    row.median_ms = median;
    row.spread_ms = spread;
    row.measured = measured;
    row.speedup_over_fixed_csr = 10 / median;
    return row;
}

ResultRow fixed_csr_row(const char* measured = "2026-01-01T00:00:00Z") {
    ResultRow fixed = row("fixed", 10, 1, measured);
    fixed.is_fixed_csr = true;
    return fixed;
}

TEST(RankedResults, AGainOrALossNoLargerThanTheTwoSpreadsMayBeNoise) {
    const auto ranked = rank_results({fixed_csr_row(), row("clear gain", 5, 1), row("gain", 8.5, 1),
                                      row("loss", 11.5, 1), row("clear loss", 20, 1)});
    ASSERT_EQ(ranked.size(), 5U);
    EXPECT_FALSE(ranked[0].is_in_noise);
    EXPECT_TRUE(ranked[1].is_in_noise);
    EXPECT_FALSE(ranked[2].is_in_noise) << "fixed CSR itself";
    EXPECT_TRUE(ranked[3].is_in_noise);
    EXPECT_FALSE(ranked[4].is_in_noise);
    EXPECT_EQ(speedup_text(ranked[0]), QStringLiteral("2.00×"));
    EXPECT_EQ(speedup_text(ranked[1]), QStringLiteral("~1.18×"));
}

TEST(RankedResults, TimesCompareWithinTheirSettingAlone) {
    ResultRow other = row("x", 10.5, 1);
    other.dense = 8;
    EXPECT_FALSE(rank_results({fixed_csr_row(), other})[1].is_in_noise) << "its fixed CSR is not known";
}

TEST(RankedResults, WhatWasMeasuredBeforeFixedCsrWasMeasuredAnewIsMarked) {
    const auto ranked =
        rank_results({fixed_csr_row("2026-01-02T00:00:00Z"), row("old", 5, 1, "2026-01-01T00:00:01Z"),
                      row("new", 6, 1, "2026-01-02T00:00:01Z")});
    EXPECT_TRUE(ranked[0].is_before_baseline);
    EXPECT_FALSE(ranked[1].is_before_baseline);
    EXPECT_FALSE(ranked[2].is_before_baseline) << "fixed CSR itself";
}

} // namespace
} // namespace sparsight::testing
