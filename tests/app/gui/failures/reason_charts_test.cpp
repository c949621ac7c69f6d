// What a model foresees beside what the times do, as charts.
#include "gui/failures/reason_charts.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

/// The model's margin is twice the gain where `sign` is 1.
SensitivityCurve chunk_curve(double sign = 1) {
    SensitivityCurve curve{.kind = VariedKind::Decision, .key = "chunk", .title = "chunk"};
    for (const double number : {1.0, 2.0, 64.0}) {
        const double gain = std::log2(number) - 2;
        curve.points.push_back({.value = std::to_string(static_cast<int>(number)),
                                .number = number,
                                .is_present = number == 2,
                                .margin = 2 * sign * gain,
                                .times = {std::exp2(-gain), 1.0, TimeOrigin::Measured}});
    }
    compare_curves(curve);
    return curve;
}

TEST(ReasonCharts, ScoresAreScaledToFitTheTimes) {
    const MarginScale scale = margin_scale({{chunk_curve()}, true});
    EXPECT_TRUE(scale.is_fitted);
    EXPECT_NEAR(scale.factor, 0.5, 1e-12);
}

TEST(ReasonCharts, ScoresThatGoAgainstTheTimesKeepTheirSignAndAreSaidTo) {
    const SensitivityReason reason{{chunk_curve(-1)}, true};
    const MarginScale scale = margin_scale(reason);
    EXPECT_FALSE(scale.is_fitted);
    EXPECT_GT(scale.factor, 0);
    EXPECT_THAT(sensitivity_chart(reason.curves.front(), scale).remark.toStdString(),
                HasSubstr("go against the times"));
}

TEST(ReasonCharts, NumbersMakeTwoLinesOverTheirLogarithm) {
    const ReasonChart chart = sensitivity_chart(chunk_curve(), {0.5, true});
    EXPECT_EQ(chart.x.title, QStringLiteral("decision: chunk"));
    EXPECT_TRUE(chart.x.logarithmic);
    EXPECT_EQ(chart.y.unit, QStringLiteral("times as fast"));
    ASSERT_EQ(chart.series.size(), 3U) << "foreseen, measured, and where the case is";
    const auto& foreseen = std::get<LineSeries>(chart.series[0]);
    const auto& real = std::get<LineSeries>(chart.series[1]);
    EXPECT_EQ(real.name, QStringLiteral("measured"));
    for (std::size_t at = 0; at < real.y.size(); ++at)
        EXPECT_NEAR(foreseen.y[at], real.y[at], 1e-9);
    EXPECT_EQ(std::get<ScatterSeries>(chart.series[2]).points.size(), 1U);
}

TEST(ReasonCharts, MarksWhereForeseenAndRealPartMost) {
    const SensitivityCurve curve = chunk_curve(-1);
    ASSERT_TRUE(curve.widest);
    const ReasonChart chart = sensitivity_chart(curve, {0.5, false});
    const auto& parted = std::get<ScatterSeries>(chart.series[2]);
    EXPECT_EQ(parted.points.size(), 2U);
    EXPECT_THAT(chart.remark.toStdString(), HasSubstr("part most between 1 and 64"));
}

TEST(ReasonCharts, ValuesThatAreNoNumbersMakeBars) {
    SensitivityCurve curve = chunk_curve();
    curve.points.front().number.reset();
    curve.points.front().times = {};
    const ReasonChart chart = sensitivity_chart(curve, {0.5, true});
    const auto& real = std::get<BarSeries>(chart.series[1]);
    ASSERT_EQ(real.bars.size(), 3U);
    EXPECT_TRUE(std::isnan(real.bars.front().value)) << "no time is no bar";
    EXPECT_EQ(real.baseline, 1);
    EXPECT_THAT(real.bars[1].label.toStdString(), HasSubstr("this case"));
}

TEST(ReasonCharts, CalibrationShowsHowOftenItWasRightWithIntervals) {
    UncertaintyReason reason{.confidence = 0.9, .checked_pairs = 60, .checked_matrices = 3};
    reason.bins = {{0.5, 0.7, 0.6, {0.55, 0.4, 0.7, 20}}, {0.7, 1, 0.85, {0.7, 0.6, 0.8, 40}}};
    const ReasonChart chart = calibration_chart(reason);
    ASSERT_EQ(chart.series.size(), 3U);
    const auto& observed = std::get<LineSeries>(chart.series[1]);
    EXPECT_EQ(observed.x, (std::vector{0.6, 0.85}));
    EXPECT_EQ(observed.low, (std::vector{0.4, 0.6}));
    EXPECT_EQ(std::get<ScatterSeries>(chart.series[2]).points.front().y, 0.7)
        << "what may be believed of so sure a choice";
    EXPECT_TRUE(calibration_chart({}).series.empty()) << "unchecked";
}

} // namespace
} // namespace sparsight::testing
