#include "app/gui/workspace/only_sparse.h"
#include "gui/results/result_charts.h"
#include "gui/results/result_rows.h"
#include "gui/results/result_statements.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

EvaluatedWorkload matrix(const char* name, double fixed, std::vector<double> times) {
    EvaluatedWorkload made;
    made.times = {name, fixed, *std::ranges::min_element(times), *std::ranges::min_element(times)};
    made.baseline_spread_ms = 0;
    int rank = 0;
    for (const double time : times) {
        ++rank;
        made.candidates.push_back({.rank = rank,
                                   .configuration = std::string("schedule ") + std::to_string(rank),
                                   .score = 10.0 * rank,
                                   .status = MeasurementStatus::Measured,
                                   .median_ms = time,
                                   .spread_ms = 0});
        if (time == made.times.best_ms)
            made.best_configuration = made.candidates.back().configuration;
    }
    made.kendall_tau = 1;
    return made;
}

ModelEvaluation evaluation_of(std::vector<std::vector<EvaluatedWorkload>> of_models) {
    ModelEvaluation evaluation;
    evaluation.words = sparse_words();
    for (auto& matrices : of_models) {
        EvaluatedModel model;
        model.name = std::string("model ") + static_cast<char>('a' + evaluation.models.size());
        std::vector<WorkloadSpeedup> speedups;
        for (const EvaluatedWorkload& one : matrices)
            speedups.push_back(one.speedup_with_errors());
        model.summary = summarise_speedups(speedups);
        model.workloads = std::move(matrices);
        model.kendall_tau = 0.5;
        evaluation.models.push_back(std::move(model));
    }
    return evaluation;
}

std::vector<double> values_of(const ChartSeries& series) {
    std::vector<double> values;
    for (const Bar& bar : std::get<BarSeries>(series).bars)
        values.push_back(bar.value);
    return values;
}

TEST(SpeedupBars, AreSortedAndLosersHaveTheirColour) {
    const auto bars = speedup_bars(
        evaluation_of({{matrix("lost", 1, {2}), matrix("won", 3, {1, 2}), matrix("even", 1, {1})}}));
    ASSERT_EQ(bars.size(), 1U);
    EXPECT_THAT(values_of(bars[0]), ElementsAre(3, 1, 0.5));
    const auto& series = std::get<BarSeries>(bars[0]);
    EXPECT_EQ(series.baseline, 1) << "bars start at fixed CSR";
    EXPECT_EQ(series.bars[0].colour, ChartColour::Win);
    EXPECT_EQ(series.bars[2].colour, ChartColour::Lose);
    EXPECT_EQ(series.bars[0].key.toString(), QStringLiteral("won")) << "a click selects it";
}

TEST(SpeedupBars, OfSeveralModelsStandInTheOrderOfTheBestOrOfTheOneThatSorts) {
    const ModelEvaluation evaluation = evaluation_of(
        {{matrix("x", 2, {1}), matrix("y", 3, {1})}, {matrix("x", 2, {0.5}), matrix("y", 3, {6})}});
    const auto best = speedup_bars(evaluation);
    EXPECT_THAT(values_of(best[0]), ElementsAre(2, 3)) << "x, which the second makes four times as fast";
    EXPECT_THAT(values_of(best[1]), ElementsAre(4, 0.5));
    EXPECT_EQ(values_of(speedup_bars(evaluation, 1)[1]), values_of(best[1]));
    const auto bars = speedup_bars(evaluation, 0);
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_THAT(values_of(bars[0]), ElementsAre(3, 2));
    EXPECT_THAT(values_of(bars[1]), ElementsAre(0.5, 4)) << "y, then x, as in the one that sorts";
    EXPECT_NE(std::get<BarSeries>(bars[0]).bars[0].colour, std::get<BarSeries>(bars[1]).bars[1].colour);
    EXPECT_EQ(std::get<BarSeries>(bars[1]).bars[0].colour, ChartColour::Lose);
}

TEST(SpeedupBars, OfSimulatedTimesAreHatched) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1})}});
    evaluation.source = TimeSource::Simulated;
    EXPECT_TRUE(std::get<BarSeries>(speedup_bars(evaluation)[0]).bars[0].hatched);
}

TEST(SpeedupBars, OfNothingAreNone) {
    EXPECT_TRUE(speedup_bars(ModelEvaluation()).empty());
}

TEST(ScorePoints, AreStandardisedWithinTheirMatrixUnlessThereIsOne) {
    const ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1, 4}), matrix("y", 1, {1, 1, 1})}});
    const auto all = score_points(evaluation);
    ASSERT_EQ(all.size(), 1U);
    ASSERT_EQ(all[0].points.size(), 5U);
    EXPECT_DOUBLE_EQ(all[0].points[0].x, -1);
    EXPECT_DOUBLE_EQ(all[0].points[1].x, 1);
    EXPECT_DOUBLE_EQ(all[0].points[0].y, 0.5);
    EXPECT_EQ(all[0].points[0].colour, std::nullopt);
    EXPECT_EQ(all[0].points[1].colour, ChartColour::Lose) << "slower than fixed CSR";
    const auto one = score_points(evaluation, QStringLiteral("x"));
    ASSERT_EQ(one[0].points.size(), 2U);
    EXPECT_EQ(one[0].points[1].x, 20) << "the score as it is";
    EXPECT_EQ(agreement(evaluation.models[0]), 0.5);
    EXPECT_EQ(agreement(evaluation.models[0], QStringLiteral("x")), 1);
    EXPECT_EQ(agreement(evaluation.models[0], QStringLiteral("z")), std::nullopt);
}

TEST(ScorePoints, TellTheSameFactorAsTheSpeedup) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1, 4, 3})}});
    EvaluatedWorkload& found = evaluation.models[0].workloads[0];
    found.turns = 5;
    found.collected_baseline_ms = 2;
    found.times.baseline_ms = 3; // by turns all takes half as long again, and the best was lucky before
    found.times.best_ms = 2;
    found.best_configuration = "schedule 1";
    found.candidates[0].turns_ms = 1.6;
    found.candidates[1].turns_ms = 6.3;
    const auto points = score_points(evaluation)[0].points;
    EXPECT_DOUBLE_EQ(points[0].y, 1 / found.times.speedup());
    EXPECT_DOUBLE_EQ(points[1].y, 2.1) << "by turns";
    EXPECT_DOUBLE_EQ(points[2].y, 1.5) << "as collected, over fixed CSR of that hour";
}

TEST(ScorePoints, LeaveOutWhatHasNoTimeOrNoScore) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1, 4, 3})}});
    auto& candidates = evaluation.models[0].workloads[0].candidates;
    candidates[0].score = std::nullopt;
    candidates[1].status = MeasurementStatus::GaveUp;
    EXPECT_EQ(score_points(evaluation)[0].points.size(), 1U);
}

TEST(ScorePoints, LeaveOutFixedCsrItself) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1, 4, 3})}});
    evaluation.models[0].workloads[0].candidates[0].is_baseline = true;
    EXPECT_EQ(score_points(evaluation)[0].points.size(), 2U);
}

TEST(ScorePoints, OfSeveralModelsAreInTheColoursOfTheModelsAlsoLosers) {
    const auto points = score_points(evaluation_of({{matrix("x", 2, {1, 4})}, {matrix("x", 2, {4, 1})}}));
    ASSERT_EQ(points.size(), 2U);
    EXPECT_NE(points[0].colour, points[1].colour);
    EXPECT_EQ(points[0].points[1].colour, std::nullopt);
    EXPECT_EQ(points[0].points[1].edge, std::nullopt) << "of a small dot an edge would be all that is seen";
    const auto alone = score_points(evaluation_of({{matrix("x", 2, {1, 4})}}));
    EXPECT_EQ(alone[0].points[1].colour, ChartColour::Lose);
}

TEST(ResultRows, SayThatTheirTimesAreNotThoseOfTheOtherPage) {
    const WorkloadResultsModel rows(sparse_words());
    for (const int time : {1, 2, 3})
        EXPECT_THAT(rows.headerData(WorkloadResultsModel::Speedup + time, Qt::Horizontal, Qt::ToolTipRole)
                        .toString()
                        .toStdString(),
                    HasSubstr("turn by turn. The table of the page Schedules has times as collected."));
}

TEST(Finding, AnUncertainFigureHasItsMarginWhereverItStands) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 4, {2})}});
    EvaluatedWorkload& found = evaluation.models[0].workloads[0];
    found.turns = 15;
    found.speedup_error = 0.05; // 2.5 % of 2, and half of the interval 5.8 %
    WorkloadResultsModel rows(sparse_words());
    rows.show_evaluation(evaluation);
    const auto speedup = [&] {
        return rows.index(0, WorkloadResultsModel::Speedup).data().toString().toStdString();
    };
    EXPECT_THAT(speedup(), ::testing::Not(HasSubstr("±")));
    EXPECT_EQ(what_is_missing(evaluation, RunState::Finished), QString());
    found.speedup_error = 0.2;
    rows.show_evaluation(evaluation);
    EXPECT_THAT(speedup(), ::testing::StartsWith("2.00×\u00A0±\u00A00.4")) << "~ is for noise alone";
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                HasSubstr("model a: +100\u00A0%\u00A0±\u00A04"));
    EXPECT_THAT(what_is_missing(evaluation, RunState::Finished).toStdString(),
                HasSubstr("uncertain by more than 6 %"));
    SummaryModel summary(sparse_words());
    summary.show_evaluation(evaluation);
    EXPECT_EQ(summary.index(0, 1).data().toString(), QStringLiteral("2.00×"))
        << "the margin is that of the mean gain alone";
    EXPECT_THAT(rows.index(0, WorkloadResultsModel::Speedup + 4).data().toString().toStdString(),
                ::testing::Not(HasSubstr("±")));
    found.regret_error = 0.1;
    rows.show_evaluation(evaluation);
    EXPECT_THAT(rows.index(0, WorkloadResultsModel::Speedup + 4).data().toString().toStdString(),
                HasSubstr(" ± 2"));
    found.times.best_ms = 3.9;
    rows.show_evaluation(evaluation);
    EXPECT_THAT(speedup(), ::testing::StartsWith("~1.03×\u00A0±\u00A0"));
}

TEST(Findings, OfManyModelsMarkEachRatioThatIsUncertain) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1}), matrix("y", 3, {2})},
                                                {matrix("x", 2, {1}), matrix("y", 3, {1})},
                                                {matrix("x", 2, {4}), matrix("y", 3, {3})}});
    for (EvaluatedModel& model : evaluation.models)
        for (EvaluatedWorkload& workload : model.workloads) {
            workload.turns = 15;
            workload.speedup_error = model.name == "model a" ? 0.01 : 0.2;
        }
    EXPECT_THAT(findings(evaluation).toStdString(),
                ::testing::AllOf(HasSubstr("model b gains most: +150\u00A0%\u00A0±\u00A0"),
                                 HasSubstr("the other 2 models: −25\u00A0%\u00A0±\u00A0"),
                                 HasSubstr(" to +75\u00A0%.")));
}

TEST(Finding, SaysTheMeanGainAndOnHowManyItLoses) {
    const ModelEvaluation evaluation = evaluation_of({{matrix("x", 3, {2}), matrix("y", 1, {2})}});
    const std::string text = finding(evaluation.models[0], evaluation).toStdString();
    EXPECT_THAT(text, HasSubstr("model a: 0\u00A0% over fixed CSR on average"));
    EXPECT_THAT(text, HasSubstr("slower on 1 of 2 matrices"));
    const ModelEvaluation slow = evaluation_of({{matrix("x", 1, {5}), matrix("y", 1, {5})}});
    EXPECT_THAT(finding(slow.models[0], slow).toStdString(),
                HasSubstr("model a: takes 5.00× as long as fixed CSR on average"));
    EvaluatedModel nothing;
    nothing.name = "b";
    EXPECT_THAT(finding(nothing, evaluation_of({})).toStdString(), HasSubstr("nothing that it chose"));
}

TEST(Finding, CountsALossWithinNoiseApartAndItsBarIsPale) {
    EvaluatedWorkload noisy = matrix("noisy", 0.95, {1});
    noisy.turns = 5;
    noisy.speedup_error = 0.05;
    const ModelEvaluation evaluation =
        evaluation_of({{noisy, matrix("lost", 1, {2}), matrix("won", 2, {1})}});
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                HasSubstr("slower on 1 of 3 matrices (1 within noise)"));
    const auto series = speedup_bars(evaluation);
    const auto& bars = std::get<BarSeries>(series[0]).bars;
    EXPECT_EQ(bars[1].colour, ChartColour::FaintLose);
    EXPECT_EQ(bars[2].colour, ChartColour::Lose);
}

TEST(Finding, CountsALossOfUnknownNoiseApartAndItsBarIsPale) {
    EvaluatedWorkload unknown = matrix("unknown", 1, {3});
    unknown.baseline_spread_ms.reset();
    const std::vector matrices{unknown, matrix("lost", 1, {2}), matrix("won", 2, {1})};
    const ModelEvaluation evaluation = evaluation_of({matrices, matrices, matrices});
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                HasSubstr("slower on 1 of 3 matrices (1 with unknown noise)"));
    EXPECT_THAT(findings(evaluation).toStdString(),
                HasSubstr("Choices are slower on some of 3 matrices: model a on 1, "));
    const auto bar = std::get<BarSeries>(speedup_bars(evaluation, 0)[0]).bars[2];
    EXPECT_EQ(bar.colour, ChartColour::FaintLose);
    EXPECT_THAT(bar.note.toStdString(), HasSubstr("(noise unknown)"));
}

TEST(SpeedupBars, OfGainsWithinNoiseArePaleToo) {
    EvaluatedWorkload noisy = matrix("noisy", 1.02, {1});
    noisy.turns = 5;
    noisy.speedup_error = 0.02;
    ModelEvaluation evaluation = evaluation_of({{noisy}});
    const auto bar = [&] { return std::get<BarSeries>(speedup_bars(evaluation)[0]).bars[0]; };
    WorkloadResultsModel rows(sparse_words());
    const auto colour = [&] {
        rows.show_evaluation(evaluation);
        return rows.index(0, WorkloadResultsModel::Speedup).data(Qt::ForegroundRole).value<QColor>();
    };
    EXPECT_EQ(bar().colour, ChartColour::FaintWin);
    EXPECT_THAT(bar().note.toStdString(), HasSubstr("(no more than noise)"));
    EXPECT_EQ(colour(), current_theme().dim_text);
    evaluation.models[0].workloads[0].speedup_error = 0.001;
    EXPECT_EQ(bar().colour, ChartColour::Win);
    EXPECT_EQ(colour(), current_theme().win);
}

TEST(ScorePoints, OfDifferencesWithinNoiseArePale) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1, 1.9, 2.1, 4})}});
    EvaluatedWorkload& found = evaluation.models[0].workloads[0];
    found.baseline_spread_ms = 0.2;
    for (EvaluatedCandidate& candidate : found.candidates)
        candidate.spread_ms = 0.1;
    const auto points = score_points(evaluation)[0].points;
    ASSERT_EQ(points.size(), 4U);
    EXPECT_EQ(points[0].colour, std::nullopt) << "that of the series";
    EXPECT_EQ(points[1].colour, ChartColour::FaintWin);
    EXPECT_EQ(points[2].colour, ChartColour::FaintLose);
    EXPECT_EQ(points[3].colour, ChartColour::Lose);
}

TEST(Finding, LeadsWithTheGeometricMeanWhereOneMatrixMakesTheMean) {
    const ModelEvaluation evaluation =
        evaluation_of({{matrix("road", 100, {1}), matrix("x", 1, {1}), matrix("y", 1, {1})}});
    ASSERT_TRUE(is_mean_misleading(*evaluation.models[0].summary));
    const std::string text = finding(evaluation.models[0], evaluation).toStdString();
    EXPECT_THAT(text, ::testing::StartsWith("model a: +364\u00A0% over fixed CSR in the geometric mean"));
    EXPECT_THAT(text, HasSubstr("The report’s figure, the mean of the gains, is +3\u202F"
                                "300\u00A0%: road alone is "
                                "100× as fast."));
    const ModelEvaluation even = evaluation_of({{matrix("x", 3, {2}), matrix("y", 2, {1})}});
    EXPECT_FALSE(is_mean_misleading(*even.models[0].summary));
    EXPECT_THAT(finding(even.models[0], even).toStdString(),
                ::testing::AllOf(HasSubstr("on average"), ::testing::Not(HasSubstr("report"))));
}

TEST(Findings, ComparedByTheGeometricMeanWhereTheMeanMisleadsOfAnyOfThem) {
    const auto one = [](double road) {
        return std::vector{matrix("road", road, {1}), matrix("x", 1, {1}), matrix("y", 1, {1})};
    };
    const std::string all = findings(evaluation_of({one(8), one(64), one(1)})).toStdString();
    EXPECT_THAT(all, HasSubstr("model b comes first: +300\u00A0% over fixed CSR in the geometric mean"));
    EXPECT_THAT(all, HasSubstr("It may gain nothing on other matrices.")) << "its interval has no gain, too";
    EXPECT_THAT(all, HasSubstr("the other 2 models: 0\u00A0% to +100\u00A0%."));
    EXPECT_THAT(all, HasSubstr("The report’s figure, the mean of the gains, is +2\u202F"
                               "100\u00A0%"));
}

TEST(Finding, RemarksOnScoresThatTellNothing) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 3, {2})}});
    EvaluatedModel& model = evaluation.models[0];
    EXPECT_THAT(finding(model, evaluation).toStdString(), ::testing::Not(HasSubstr("τ")));
    model.kendall_tau = 0.02;
    EXPECT_THAT(finding(model, evaluation).toStdString(),
                HasSubstr("its ranking is little better than chance (τ = 0.02)."));
    model.kendall_tau = -0.4;
    EXPECT_THAT(finding(model, evaluation).toStdString(),
                HasSubstr("its ranking is worse than chance (τ = −0.40)."));
    model.kendall_tau = -0.2;
    EXPECT_THAT(finding(model, evaluation).toStdString(),
                HasSubstr("its ranking is worse than chance (τ = −0.20)."));
    for (const double none : {0.0, -0.001, 0.004}) {
        model.kendall_tau = none;
        EXPECT_THAT(finding(model, evaluation).toStdString(),
                    HasSubstr("its ranking is no better than chance (τ = 0.00)."));
    }
}

TEST(Finding, OfOneWorkloadIsNoAverage) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 3, {2})}});
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                ::testing::AllOf(HasSubstr("over fixed CSR"), ::testing::Not(HasSubstr("on average"))));
    evaluation.words.baseline.reset();
    evaluation.models[0].workloads[0].times.best_known_ms = 1;
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                ::testing::AllOf(HasSubstr("slower than"), ::testing::Not(HasSubstr("on average"))));
}

TEST(Findings, OfManyModelsAreOneSentenceOnWhoGainsMostAndWhoLosesWhere) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1}), matrix("y", 3, {2})},
                                                {matrix("x", 2, {1}), matrix("y", 3, {1})},
                                                {matrix("x", 2, {4}), matrix("y", 3, {3})}});
    evaluation.models[0].kendall_tau = 0.01;
    const std::string all = findings(evaluation).toStdString();
    EXPECT_THAT(all, HasSubstr("model b gains most: +150\u00A0% over fixed CSR on average"));
    EXPECT_THAT(all, HasSubstr("the other 2 models: −25\u00A0% to +75\u00A0%."));
    EXPECT_THAT(all, HasSubstr("Choices are slower on some of 2 matrices: model c on 1."));
    EXPECT_THAT(all, HasSubstr("The scores of model a do not order their choices."));
    EXPECT_THAT(all, ::testing::Not(HasSubstr("\n")));
    evaluation.models.pop_back();
    EXPECT_EQ(findings(evaluation).count(u'\n'), 1) << "of two each has its line";
}

TEST(Finding, WithoutABaselineIsHowFarTheChoiceIsFromTheBestKnown) {
    EvaluatedWorkload close = matrix("a", 1, {1.1});
    close.times.best_known_ms = 1;
    EvaluatedWorkload best = matrix("b", 2, {2});
    ModelEvaluation evaluation = evaluation_of({{close, best}});
    evaluation.words = {
        .workload = {"lock", "locks"}, .configuration = {"combination", "combinations"}, .baseline = {}};
    EXPECT_THAT(
        finding(evaluation.models[0], evaluation).toStdString(),
        ::testing::AllOf(HasSubstr("model a: 4.88\u00A0% slower than the best known combination on average"),
                         HasSubstr("the best known for 1 of 2 locks")));
    for (EvaluatedWorkload& workload : evaluation.models[0].workloads)
        workload.is_regret_exact = true;
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                ::testing::AllOf(HasSubstr("slower than the fastest combination on average"),
                                 HasSubstr(", exact as every time is known")));
    for (EvaluatedWorkload& workload : evaluation.models[0].workloads)
        workload.is_regret_exact = false;
    const auto bars = speedup_bars(evaluation);
    ASSERT_EQ(bars.size(), 1U);
    EXPECT_THAT(values_of(bars[0]), ElementsAre(::testing::DoubleNear(0.1, 1e-9), 0)) << "the slowest first";
    EXPECT_EQ(std::get<BarSeries>(bars[0]).baseline, 0);
}

TEST(WhatIsMissing, SaysThatTheRunWasStoppedAndWhatIsLeftOut) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 3, {2})}});
    EXPECT_EQ(what_is_missing(evaluation, RunState::Finished), QString());
    evaluation.left_out = {{"m4", "b has chosen nothing for it"}, {"m5", "no time"}};
    EXPECT_EQ(what_is_missing(evaluation, RunState::Stopped).toStdString(),
              "The evaluation was stopped before its end. Left out: 2 matrices (m4: b has chosen nothing for "
              "it).");
}

TEST(WhatIsMissing, SaysThatTwoFamiliesAreTooFewForAnInterval) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 3, {2}), matrix("y", 3, {2})}});
    EXPECT_EQ(what_is_missing(evaluation, RunState::Finished).toStdString(),
              "Two families of matrices: too few for an interval.");
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(), ::testing::Not(HasSubstr("[")));
    evaluation = evaluation_of({{matrix("x", 3, {2}), matrix("y", 3, {2}), matrix("z", 3, {1})}});
    EXPECT_EQ(what_is_missing(evaluation, RunState::Finished), QString());
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(), HasSubstr("["));
}

TEST(ResultRows, SayInWordsThatAllChoicesAreTheBestKnown) {
    ModelEvaluation evaluation = evaluation_of({{matrix("x", 3, {2}), matrix("y", 3, {2})}});
    SummaryModel summary(sparse_words());
    const auto regret = [&] {
        summary.show_evaluation(evaluation);
        return summary.index(0, SummaryModel::Regret).data().toString().toStdString();
    };
    EXPECT_EQ(regret(), "best known on 2 of 2");
    evaluation.words.baseline.reset();
    EXPECT_THAT(finding(evaluation.models[0], evaluation).toStdString(),
                HasSubstr("model a: its choice is the best known one on 2 of 2 matrices"));
    evaluation.models[0].workloads[0].times.best_known_ms = 1;
    EXPECT_EQ(regret().find("best"), std::string::npos);
}

TEST(ScorePoints, OfTheOthersArePaleWhereOneMatrixStandsOut) {
    const ModelEvaluation evaluation = evaluation_of({{matrix("x", 2, {1, 4}), matrix("y", 1, {1, 3})}});
    EXPECT_TRUE(has_workload(evaluation, QStringLiteral("y")));
    EXPECT_FALSE(has_workload(evaluation, QStringLiteral("z")));
    for (const ScatterPoint& point : score_points(evaluation, {}, QStringLiteral("y"))[0].points) {
        EXPECT_EQ(point.muted, point.key != QStringLiteral("y"));
        EXPECT_EQ(point.colour == ChartColour::Reference, point.muted) << "grey";
    }
    for (const ScatterPoint& point : score_points(evaluation)[0].points)
        EXPECT_FALSE(point.muted);
}

TEST(ResultRows, AreSoundModels) {
    SummaryModel summary(sparse_words());
    WorkloadResultsModel matrices(sparse_words());
    const QAbstractItemModelTester first(&summary, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QAbstractItemModelTester second(&matrices, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto show = [&](const ModelEvaluation& evaluation) {
        summary.show_evaluation(evaluation);
        matrices.show_evaluation(evaluation);
    };
    show(evaluation_of(
        {{matrix("x", 2, {1}), matrix("y", 1, {2})}, {matrix("x", 2, {1}), matrix("y", 1, {4})}}));
    EXPECT_EQ(summary.rowCount(), 2);
    EXPECT_EQ(matrices.rowCount(), 4);
    EXPECT_EQ(matrices.index(1, WorkloadResultsModel::Speedup).data().toString(), QStringLiteral("0.500×"));
    EXPECT_EQ(matrices.workload(1), QStringLiteral("y"));
    show(evaluation_of({{matrix("y", 1, {2})}}));
    EXPECT_EQ(matrices.rowCount(), 1);
    show({});
    EXPECT_EQ(summary.rowCount(), 0);
}

} // namespace
} // namespace sparsight::testing
