#include "gui/train/chart_lines.h"

#include "app/gui/workspace/only_sparse.h"
#include "gui/train/explained_order.h"
#include "widgets/chart/chart_values.h"

#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;

RunCurves curves_of(int steps) {
    RunCurves curves;
    std::vector<MetricPoint> losses;
    for (int step = 1; step <= steps; ++step)
        losses.push_back({step, 1.0 / step});
    curves.take("loss", losses);
    curves.take("epoch/step", {{1, steps / 2.0}, {2, static_cast<double>(steps)}});
    curves.take("epoch/seconds", {{1, 60}, {2, 120}});
    curves.take("epoch/rate", {{1, 0.1}, {2, 0.05}});
    curves.take("validation/loss", {{1, 0.5}, {2, 0.4}});
    curves.take("validation/a/loss", {{1, 0.6}, {2, 0.5}});
    curves.take("validation/b/loss", {{1, 0.4}, {2, 0.3}});
    curves.take("validation/ordered_pair_accuracy", {{1, 0.6}, {2, 0.7}});
    return curves;
}

QStringList names_of(const std::vector<LineSeries>& lines) {
    QStringList names;
    for (const LineSeries& line : lines)
        names << line.name;
    return names;
}

TEST(LossLines, OfOneRunAreTrainingAndValidationInColoursOfTheirOwn) {
    const RunCurves curves = curves_of(100);
    const auto lines = loss_lines({{QStringLiteral("meta"), ChartColour::Series1, &curves}}, {});
    ASSERT_EQ(names_of(lines), (QStringList{QStringLiteral("training"), QStringLiteral("validation")}));
    EXPECT_GT(lines[0].smoothing, 1) << "raw thin, smoothed thick";
    EXPECT_EQ(lines[1].smoothing, 0) << "an epoch is an average already";
    EXPECT_NE(lines[0].colour, lines[1].colour);
    EXPECT_THAT(lines[1].x, ElementsAre(50, 100));
}

TEST(LossLines, OfEachMachineTakeThePlaceOfThoseOfAll) {
    const RunCurves curves = curves_of(100);
    const auto lines = loss_lines({{QStringLiteral("meta"), ChartColour::Series1, &curves}},
                                  {.validation = ShownValidation::ByMachine});
    EXPECT_EQ(names_of(lines),
              (QStringList{QStringLiteral("training"), QStringLiteral("a"), QStringLiteral("b")}));
    EXPECT_NE(lines[1].colour, lines[2].colour);
}

TEST(LossLines, OfSeveralRunsHaveTheColourOfTheirRunAndDashedValidation) {
    const RunCurves first = curves_of(100);
    const RunCurves second = curves_of(40);
    const auto lines = loss_lines({{QStringLiteral("first"), ChartColour::Series1, &first},
                                   {QStringLiteral("second"), ChartColour::Series2, &second},
                                   {QStringLiteral("being read"), ChartColour::Series3, nullptr}},
                                  {});
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].name, QStringLiteral("first"));
    EXPECT_EQ(lines[1].name, QStringLiteral("first · validation"));
    EXPECT_TRUE(lines[1].dashed);
    EXPECT_EQ(lines[1].colour, ChartColour::Series1);
    EXPECT_EQ(lines[3].colour, ChartColour::Series2);
}

TEST(LossLines, OfTreesAreOfTheirRounds) {
    RunCurves curves;
    for (const int round : {30, 60}) {
        const MetricPoint loss{round, 0.5 - 0.001 * round};
        curves.take("epoch/step", {{30, 30}, {60, 60}});
        curves.take("epoch/training_loss", {loss});
        curves.take("validation/loss", {loss});
    }
    const auto lines =
        loss_lines({{QStringLiteral("trees"), ChartColour::Series1, &curves, true}}, CurveOptions{});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].name, QStringLiteral("training"));
    EXPECT_EQ(lines[0].x, (std::vector<double>{30, 60}));
    EXPECT_EQ(lines[1].x, lines[0].x);
    EXPECT_EQ(axis_of(RunAxis::Step, true).title, QStringLiteral("round"));
    EXPECT_EQ(axis_of(RunAxis::Step).title, QStringLiteral("step"));
}

TEST(LossLines, AreDrawnOverMinutesWhereTimeIsTheAxis) {
    const RunCurves curves = curves_of(100);
    const auto lines =
        loss_lines({{QStringLiteral("meta"), ChartColour::Series1, &curves}}, {.axis = RunAxis::Time});
    EXPECT_DOUBLE_EQ(lines[0].x.back(), 2);
    EXPECT_THAT(lines[1].x, ElementsAre(1, 2));
    EXPECT_EQ(axis_title(axis_of(RunAxis::Time)).toStdString(), "time of training [min]");
}

TEST(LossLines, AreDrawnOverTheClockFromTheStartOfTheirRun) {
    const RunCurves curves = curves_of(100);
    const std::vector<ShownRun> runs{
        {.name = QStringLiteral("meta"), .colour = ChartColour::Series1, .curves = &curves, .started = 1e9}};
    const auto lines = loss_lines(runs, {.axis = RunAxis::TimeOfDay});
    EXPECT_DOUBLE_EQ(lines[0].x.back(), 1e9 + 120);
    EXPECT_THAT(lines[1].x, ElementsAre(1e9 + 60, 1e9 + 120));
    EXPECT_EQ(axis_of(RunAxis::TimeOfDay).format, ValueFormat::TimeOfDay);
}

TEST(BestEpochs, AreThoseOfTheLowestValidationLoss) {
    RunCurves curves = curves_of(100);
    curves.take("epoch/step", {{1, 50}, {2, 100}, {3, 150}});
    curves.take("validation/loss", {{1, 0.5}, {2, 0.3}, {3, 0.4}});
    ShownRun run{QStringLiteral("meta"), ChartColour::Series3, &curves};
    const auto alone = best_epochs({run}, {});
    ASSERT_TRUE(alone.has_value());
    EXPECT_EQ(alone->name.toStdString(), "best epoch: 2");
    ASSERT_EQ(alone->points.size(), 1U);
    EXPECT_EQ(alone->points[0].x, 100);
    EXPECT_EQ(alone->points[0].y, 0.3);
    const auto both = best_epochs({run, run}, {.axis = RunAxis::Epoch});
    ASSERT_EQ(both->points.size(), 2U);
    EXPECT_EQ(both->points[1].x, 2);
    EXPECT_EQ(both->points[1].label.toStdString(), "meta, best epoch: 2");
    EXPECT_EQ(both->points[1].colour, ChartColour::Series3);
    EXPECT_FALSE(best_epochs({run}, {.validation = ShownValidation::None}).has_value());
    run.is_of_trees = true;
    EXPECT_FALSE(best_epochs({run}, {}).has_value()) << "trees have rounds";
}

TEST(MetricLines, AreOfTheValidationOrOfTheEpochs) {
    const RunCurves curves = curves_of(100);
    const std::vector<ShownRun> runs{{QStringLiteral("meta"), ChartColour::Series1, &curves}};
    const CurveOptions by_epoch{.axis = RunAxis::Epoch};
    const auto accuracy = metric_lines(runs, QStringLiteral("ordered_pair_accuracy"), by_epoch);
    ASSERT_EQ(accuracy.size(), 1U);
    EXPECT_THAT(accuracy[0].x, ElementsAre(1, 2));
    EXPECT_THAT(accuracy[0].y, ElementsAre(0.6, 0.7));
    const auto rate = metric_lines(runs, QStringLiteral("rate"), by_epoch);
    ASSERT_EQ(rate.size(), 1U);
    EXPECT_THAT(rate[0].y, ElementsAre(0.1, 0.05));
    EXPECT_TRUE(metric_lines(runs, QStringLiteral("memory_bytes"), by_epoch).empty()) << "not told";
}

TEST(CurveMetrics, SayWhatTheyAre) {
    for (const CurveMetric& metric : curve_metrics(sparse_words())) {
        EXPECT_FALSE(metric.title.isEmpty()) << metric.id;
        EXPECT_FALSE(metric.tip.isEmpty()) << metric.id;
        EXPECT_FALSE(metric.title.contains(QStringLiteral("%"))) << metric.title.toStdString();
    }
}

TEST(CurveMetrics, HaveNoSpeedupsWhereThereIsNoBaseline) {
    DomainWords words{
        .workload = {"lock", "locks"}, .configuration = {"combination", "combinations"}, .baseline = {}};
    for (const CurveMetric& metric : curve_metrics(words))
        EXPECT_FALSE(QLatin1String(metric.id).startsWith(QLatin1String("speedup"))) << metric.id;
    words.baseline = Noun{"all zeros", "all zeros"};
    EXPECT_TRUE(std::ranges::any_of(curve_metrics(words), [](const CurveMetric& metric) {
        return metric.tip.contains(QStringLiteral("all zeros"));
    }));
}

RunCurves curves_of_gray_box(double first, double last) {
    RunCurves curves;
    curves.take("epoch/step", {{1, 4}, {2, 8}});
    curves.take("validation/ordered_pair_accuracy", {{1, first}, {2, last}});
    curves.take("validation_of_simulator/ordered_pair_accuracy", {{1, 0.9}, {2, 0.9}});
    return curves;
}

TEST(ExplainedOrder, IsWhatLearningAddsOnTopOfPhysics) {
    const RunCurves curves = curves_of_gray_box(0.91, 0.923);
    const auto bands =
        explained_lines({QStringLiteral("gray"), ChartColour::Series1, &curves}, RunAxis::Step);
    ASSERT_EQ(bands.size(), 2U);
    EXPECT_THAT(bands[0].x, ElementsAre(4, 8));
    EXPECT_THAT(bands[0].low, ElementsAre(0.5, 0.5)) << "chance";
    EXPECT_THAT(bands[0].high, ElementsAre(0.9, 0.9));
    EXPECT_EQ(bands[1].low, bands[0].high) << "stacked";
    EXPECT_THAT(bands[1].high, ElementsAre(0.91, 0.923));
    EXPECT_EQ(explained_sentence(curves).toStdString(),
              "The simulator orders 90.0 % of the pairs; learning adds 2.3 points.");
}

TEST(ExplainedOrder, WhatLearningTakesIsMissingFromPhysicsInAnotherPattern) {
    const RunCurves curves = curves_of_gray_box(0.92, 0.85);
    const auto bands =
        explained_lines({QStringLiteral("gray"), ChartColour::Series1, &curves}, RunAxis::Epoch);
    ASSERT_EQ(bands.size(), 3U);
    EXPECT_EQ(bands[2].band, BandLook::Hatched);
    EXPECT_DOUBLE_EQ(bands[2].low[0], bands[2].high[0]) << "in the first epoch it took nothing";
    EXPECT_EQ(bands[2].low[1], 0.85);
    EXPECT_EQ(bands[2].high[1], 0.9);
    EXPECT_EQ(bands[0].high[1], 0.85);
    EXPECT_EQ(explained_sentence(curves).toStdString(),
              "The simulator orders 90.0 % of the pairs; learning takes 5.0 points away.");
}

TEST(ExplainedOrder, ItsBandsTellWhatTheSentenceTellsAndBeginAtChance) {
    EXPECT_EQ(explained_axis().minimum, 0.5);
    ShotPoints points;
    points.take("shots/gray/ordered_pair_accuracy/mean", {{0, 0.45}, {5, 0.9}});
    points.take("shots/simulator/ordered_pair_accuracy/mean", {{0, 0.3}, {5, 0.85}});
    const auto bands = explained_lines(points, QStringLiteral("gray"));
    ASSERT_EQ(bands.size(), 2U);
    EXPECT_THAT(bands[0].low, ElementsAre(0.5, 0.5));
    EXPECT_THAT(bands[0].high, ElementsAre(0.5, 0.85)) << "whoever is worse than a coin explains nothing";
    EXPECT_THAT(bands[1].high, ElementsAre(0.5, 0.9));
}

TEST(ExplainedOrder, IsNotDrawnWhereTheSimulatorWasNotRecorded) {
    const RunCurves old = curves_of(100);
    EXPECT_TRUE(explained_lines({QStringLiteral("old"), ChartColour::Series1, &old}, RunAxis::Step).empty());
    EXPECT_TRUE(explained_lines({QStringLiteral("being read")}, RunAxis::Step).empty());
    EXPECT_EQ(explained_sentence(old), QString());
}

TEST(ExplainedOrder, OfAShotCurveTakesTheSimulatorAmongItsContenders) {
    ShotPoints points;
    points.take("shots/gray/ordered_pair_accuracy/mean", {{0, 0.8}, {5, 0.9}});
    EXPECT_TRUE(explained_lines(points, QStringLiteral("gray")).empty());
    points.take("shots/simulator/ordered_pair_accuracy/mean", {{0, 0.8}, {5, 0.85}});
    const auto bands = explained_lines(points, QStringLiteral("gray"));
    ASSERT_EQ(bands.size(), 2U);
    EXPECT_THAT(bands[0].x, ElementsAre(0, 5));
    EXPECT_EQ(
        explained_sentence(points, QStringLiteral("gray"), DomainWords{}.workload).toStdString(),
        "Learned from 5 workloads: The simulator orders 85.0 % of the pairs; learning adds 5.0 points.");
}

TEST(ReliabilityDiagram, HasADotForEachBinAndTheDiagonal) {
    const Reliability careful{
        .pairs = 200,
        .workloads = 4,
        .bins = {{0.5, 0.55, 0.53, {0.7, 0.6, 0.8, 100}}, {0.95, 1, 0.97, {1, 0.96, 1, 100}}},
        .error = 0.1,
        .within = {0.99, 0.97, 1, 200}};
    const auto lines = reliability_lines(careful);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].x, lines[0].y);
    EXPECT_THAT(lines[1].x, ElementsAre(0.53, 0.97));
    EXPECT_THAT(lines[1].low, ElementsAre(0.6, 0.96));
    EXPECT_EQ(lines[1].band, BandLook::Whiskers);
    EXPECT_THAT(reliability_sentence(careful, {}).toStdString(),
                ::testing::StartsWith("The model is too careful."));
}

} // namespace
} // namespace sparsight::testing
