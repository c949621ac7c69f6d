#include "evaluation/model_reasons/sensitivity.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

/// Points of which the schedule takes `ms` where the other one takes 8 ms.
SensitivityCurve curve_of(const std::vector<std::pair<double, double>>& margins_and_ms) {
    SensitivityCurve curve;
    for (const auto& [margin, ms] : margins_and_ms)
        curve.points.push_back(
            {.value = "", .margin = margin, .times = {.schedule_ms = ms, .against_ms = 8}});
    compare_curves(curve);
    return curve;
}

TEST(Sensitivity, CurvesThatRiseTogetherPartNowhere) {
    const SensitivityCurve curve = curve_of({{-1, 16}, {0.5, 4}, {2, 1}});
    EXPECT_EQ(curve.kendall_tau, 1);
    EXPECT_FALSE(curve.widest);
    EXPECT_EQ(curve.wrong_sides, 0);
    EXPECT_EQ(curve.with_times, 3);
    EXPECT_EQ(curve.swing, 3);
}

TEST(Sensitivity, CurvesPartMostWhereTheModelTakesTheSlowestForTheFastest) {
    const SensitivityCurve curve = curve_of({{3, 16}, {1, 4}, {2, 1}});
    ASSERT_TRUE(curve.widest);
    EXPECT_EQ(curve.widest->better, 2U);
    EXPECT_EQ(curve.widest->worse, 0U);
    EXPECT_DOUBLE_EQ(curve.widest->factor, 16);
    EXPECT_EQ(curve.wrong_sides, 1) << "16 ms are more than 8 ms, and the model prefers it";
}

TEST(Sensitivity, AModelThatSeesNoDifferenceIsBlindButNotWrong) {
    const SensitivityCurve curve = curve_of({{1, 4}, {1, 2}, {1, 1}});
    EXPECT_FALSE(curve.widest);
    EXPECT_FALSE(curve.kendall_tau);
    EXPECT_EQ(curve.swing, 0);
}

TEST(Sensitivity, TimesThatAreEquallyGoodAreInNoOrder) {
    const SensitivityCurve curve = curve_of({{1, 8.00}, {2, 8.01}});
    EXPECT_FALSE(curve.widest);
    EXPECT_EQ(curve.wrong_sides, 0);
}

TEST(Sensitivity, PointsWithoutTimesAreLeftOutOfTheComparison) {
    SensitivityCurve curve = curve_of({{1, 4}, {2, 2}});
    curve.points.push_back({.value = "too large to build", .margin = 9, .times = {.against_ms = 8.0}});
    compare_curves(curve);
    EXPECT_EQ(curve.with_times, 2);
    EXPECT_FALSE(curve.widest);
    EXPECT_EQ(curve.swing, 8) << "the model rates that one, too";
}

} // namespace
} // namespace sparsight
