#include "domains/sparse/schedule/schedule_decision.h"
#include "gui/domains/sparse/failures/cases/reason_pictures.h"
#include "gui/domains/sparse/failures/cases/reasons_section.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/failures/blame_picture.h"
#include "gui/failures/failure_lists.h"
#include "gui/page/domain_words.h"

#include <QAbstractItemModelTester>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FailureCase failing(const char* matrix, double chosen_ms) {
    FailureCase failure;
    failure.workload = matrix;
    failure.model_name = "first";
    FailureSign sign;
    sign.chosen = {"a", chosen_ms, 0.2, false, 1};
    sign.against = {"b", 1.25, 0.05};
    sign.significance = Significance::BeyondNoise;
    failure.signs = {sign};
    return failure;
}

TEST(FailureWords, AStorySaysThatTheSimulatorDoesNotSeeItAndThatAWrongOrderLosesNothing) {
    FailureGroup group;
    group.ground = FailureGroupGround::SimulationDisagrees;
    group.simulated_share = 0.02;
    group.kind = FailureKind::MisRanked;
    group.lost_share = 0.5;
    EXPECT_EQ(failure_words().group_text(group).toStdString(),
              "first choice 50.0\u00A0% slower than its best, nothing lost · the simulator says 2.00\u00A0% "
              "slower instead");
    group.kind = FailureKind::HighRegret;
    EXPECT_EQ(failure_words().group_text(group).toStdString(),
              "50.0\u00A0% slower · the simulator says 2.00\u00A0% slower instead");
    group.simulated_share = -0.2;
    group.lost_share = 2.4;
    EXPECT_EQ(failure_words().group_text(group).toStdString(),
              "3.40× as long · the simulator says 20.0\u00A0% faster instead");
}

TEST(FailureWords, ATitleNamesTheScheduleAndNotAnOrderOfLoops) {
    FailureGroup group;
    group.decision = Decision{2, "level_order", "level order"};
    group.before = "i1 i0 k1 k0";
    group.after = "i1 k1 i0 k0";
    group.nickname = "4-row groups";
    EXPECT_EQ(failure_words().group_title(group).toStdString(), "Level order of 4-row groups");
    EXPECT_THAT(failure_words().group_text(group).toStdString(),
                HasSubstr("i1 k1 i0 k0 instead of i1 i0 k1 k0"));
    group.is_one_value = false;
    EXPECT_THAT(failure_words().group_text(group).toStdString(), HasSubstr("compared with i1 i0 k1 k0"));
    group.is_one_value = true;
    group.decision = Decision{5, "chunk", "chunk"};
    group.after = "8";
    EXPECT_EQ(failure_words().group_title(group).toStdString(), "Chunk: 8");
}

TEST(FailureWords, SayWhichPartOfAGrayBoxMisledItAndWhatItDistrusts) {
    FailureCase failure = failing("m", 2.5);
    EXPECT_TRUE(failure_words().blind_spots(failure).isEmpty());
    failure.misleading = MisleadingPart{.known = 2, .simulated = 0.5, .corrected = 0.8};
    EXPECT_EQ(failure_words().blind_spots(failure).front().toStdString(),
              "The simulator misled first: it says 0.500× instead of 2.00×. The correction mended "
              "33.9\u00A0% of that, to 0.800×.");
    CasesModel model(failure_words());
    model.set_rows({failure, failing("n", 2.5)});
    EXPECT_EQ(model.index(0, CasesModel::MisledBy).data().toString(), QStringLiteral("simulator"));
    EXPECT_NE(model.index(1, CasesModel::MisledBy).data().toString(), QStringLiteral("simulator"));
    failure.misleading = MisleadingPart{
        .known = 2, .simulated = 1.5, .corrected = 0.9, .distrusted = "chunk_us", .distrusted_factor = 0.7};
    EXPECT_EQ(misled_by_text(failure.misleading->by()), QStringLiteral("correction"));
    EXPECT_THAT(misled_text(*failure.misleading, QStringLiteral("gray")).toStdString(),
                HasSubstr("The correction changes most by Chunk scheduling cost: 0.700×."));
}

TEST(FailureWords, SayOfWhatMisledAGrayBoxWhatTheCommandLineSays) {
    const std::vector<MisleadingPart> parts{
        {.known = 2, .simulated = 0.5, .corrected = 0.8},       // the simulator
        {.known = 123.4, .simulated = 99.96, .corrected = 0.9}, // the correction
        {.known = 9.996, .simulated = 0.0123, .corrected = 0.0099},
        {.known = 1.5, .simulated = 0.8, .corrected = 1.1},
        {.known = 2, .simulated = 1.5, .corrected = 0.9, .distrusted = "chunk_us", .distrusted_factor = 0.7},
        {.known = 2, .simulated = 1.5, .corrected = 0.9, .distrusted = "later_one", .distrusted_factor = 3}};
    for (const MisleadingPart& part : parts) {
        const QString told =
            QString::fromStdString(misled_sentence(part, "gray"))
                .replace(QStringLiteral("chunk_us"), QStringLiteral("Chunk scheduling cost"));
        EXPECT_EQ(misled_text(part, QStringLiteral("gray")).replace(QChar(QChar::Nbsp), u' ').toStdString(),
                  told.toStdString());
    }
}

TEST(BlamePicture, BeginsWithWhatOtherTurnsTellAndAddsUpToTheLoss) {
    FailureCase failure = failing("m", 5);
    FailureDiagnosis diagnosis;
    diagnosis.basis = DiagnosisBasis::Measured;
    BlamedDecision blamed;
    blamed.decision = {0, "threads", "threads"};
    blamed.milliseconds = 2.5;
    diagnosis.decisions = {blamed};
    failure.diagnosis = diagnosis;
    const FailureWords words((DomainWords()));
    const auto picture = [&] {
        return blame_picture(failure, words, {QStringLiteral("b"), {}}, {QStringLiteral("a"), {}});
    };
    EXPECT_EQ(picture().steps.back().key, QStringLiteral("not-explained")) << "2.5 of 3.75 ms are explained";
    EXPECT_DOUBLE_EQ(picture().steps.back().amount, 1.25);
    failure.diagnosis->decisions[0].milliseconds = 3.75;
    EXPECT_EQ(picture().steps.size(), 1U) << "its time is its own";
    failure.diagnosis->decisions[0].milliseconds = 2.5;
    failure.signs.front().chosen.raw_ms = 3.75;
    const WaterfallPicture told = picture();
    ASSERT_EQ(told.steps.size(), 2U);
    EXPECT_EQ(told.steps.front().change.toStdString(), "3.75\u00A0ms → 5.00\u00A0ms");
    EXPECT_DOUBLE_EQ(told.steps[0].amount + told.steps[1].amount, failure.main().lost_ms());
    EXPECT_EQ(told.to.value, 5);
    EXPECT_EQ(raw_time_text(failure.main().chosen).toStdString(), "raw time of its own turns: 3.75\u00A0ms");
    EXPECT_EQ(raw_time_text(failure.main().against), QString());
}

TEST(BlamePicture, WhatNeitherOtherTurnsNorDecisionsExplainHasABarOfItsOwn) {
    FailureCase failure = failing("m", 5); // against 1.25 ms
    failure.diagnosis.emplace();
    BlamedDecision blamed;
    blamed.decision = {0, "threads", "threads"};
    blamed.milliseconds = 2;
    failure.diagnosis->decisions = {blamed};
    failure.signs.front().chosen.raw_ms = 4;
    failure.signs.front().against.raw_ms = 1;
    const WaterfallPicture picture = blame_picture(failure, FailureWords((DomainWords())),
                                                   {QStringLiteral("b"), {}}, {QStringLiteral("a"), {}});
    ASSERT_EQ(picture.steps.size(), 3U);
    EXPECT_DOUBLE_EQ(picture.steps[0].amount, 0.75) << "1 ms of the choice, less 0.25 ms of the other";
    EXPECT_EQ(picture.steps[2].key, QStringLiteral("not-explained"));
    EXPECT_DOUBLE_EQ(picture.steps[2].amount, 1);
    EXPECT_FALSE(picture.steps[2].is_significant) << "it is no cause";
}

TEST(FailureWords, FamiliesAreCalledAsOnTheCommandLine) {
    for (const PatternFamily family : all_pattern_families)
        EXPECT_EQ(family_text(family).toStdString(), title(family));
}

TEST(FailureWords, EveryKindFamilyAndSignificanceHasWords) {
    for (const FailureKind kind : all_failure_kinds) {
        EXPECT_FALSE(failure_words().kind(kind).isEmpty());
        EXPECT_FALSE(failure_words().kind_meaning(kind).isEmpty());
    }
    for (const PatternFamily family : all_pattern_families)
        EXPECT_FALSE(family_text(family).isEmpty());
    for (const auto significance :
         {Significance::BeyondNoise, Significance::WithinNoise, Significance::NoiseUnknown})
        EXPECT_FALSE(significance_text(significance).isEmpty());
}

TEST(FailureWords, ASignTellsBothTimesTheLossAndItsSignificance) {
    const std::string sentence = failure_words().sign_sentence(failing("m", 2.5).main()).toStdString();
    EXPECT_THAT(
        sentence,
        HasSubstr(
            "Slower than fixed CSR: 2.50\u00A0±\u00A00.20\u00A0ms against 1.25\u00A0±\u00A00.05\u00A0ms"));
    EXPECT_THAT(sentence, HasSubstr("2.00× as long"));
    EXPECT_THAT(sentence, HasSubstr("beyond noise"));
}

TEST(FailureWords, AStoryNamesItsDecisionAndWhatItCosts) {
    FailureGroup group;
    group.decision = decision_of({DecisionKind::LevelFormat, {Index::K, Part::Outer}}, Operator::SpMM);
    group.before = "compressed";
    group.after = "uncompressed";
    group.term = time_causes()[static_cast<std::size_t>(TimeTerm::FillIn)];
    group.families = {{workload_family(PatternFamily::Banded), 3}};
    group.lost_share = 0.41;
    EXPECT_EQ(failure_words().group_title(group), QStringLiteral("Format of k1: uncompressed"));
    EXPECT_EQ(failure_words().group_text(group),
              QStringLiteral("41.0\u00A0% slower · compared with compressed · most of it fill-in · banded"));
    group.before.reset();
    EXPECT_THAT(failure_words().group_text(group).toStdString(), HasSubstr("compared with other values"));
    group.lost_ms = 2;
    EXPECT_THAT(failure_words().group_text(group).toStdString(),
                HasSubstr("41.0\u00A0% slower, 2.00\u00A0ms lost in all"));
    group.lost_ms = 0;
    group.behind_ms = 3;
    EXPECT_THAT(failure_words().group_hint(group).toStdString(),
                HasSubstr("Together they are 3.00\u00A0ms slower."));
    group.undiagnosed = "no pattern";
    EXPECT_THAT(failure_words().group_hint(group).toStdString(), HasSubstr("Not diagnosed: no pattern."));
    group.decision.reset();
    EXPECT_EQ(failure_words().group_title(group), QStringLiteral("Slower than fixed CSR"))
        << "what is not explained";
}

TEST(FailureWords, BlindSpotsAreToldWithoutAskingTheModel) {
    FailureCase failure = failing("m", 2.5);
    EXPECT_TRUE(failure_words().blind_spots(failure).isEmpty());
    failure.unfamiliar = {{"row_length_gini", "Gini coefficient of row lengths", "", false, 0.9, 0.1, 0.4}};
    ASSERT_EQ(failure_words().blind_spots(failure).size(), 1);
    EXPECT_THAT(failure_words().blind_spots(failure)[0].toStdString(),
                HasSubstr("0.9, in training 0.1 to 0.4"));
    FailureSign confident = failure.main();
    confident.kind = FailureKind::OverConfident;
    confident.figure = 0.5;
    failure.signs.push_back(confident);
    EXPECT_THAT(failure_words().blind_spots(failure).join(u' ').toStdString(), HasSubstr("50.0\u00A0%"));
}

TEST(FailureWords, TheSignOfAnUnfamiliarMatrixNamesItsStatisticsInASentence) {
    FailureCase failure = failing("m", 2.5);
    failure.signs.front().kind = FailureKind::OutsideTraining;
    failure.unfamiliar = {{"entries", "Entries", "entries", true, 90, 10, 40}};
    EXPECT_THAT(failure_words().sign_sentence(failure, failure.main()).toStdString(),
                HasSubstr(". This matrix is unlike what the model was trained on: Entries 90, in training "
                          "10 to 40"));
    FailureSign outside = failure.main();
    failure.signs.front().kind = FailureKind::MisRanked;
    EXPECT_THAT(failure_words().sign_sentence(failure, outside).toStdString(),
                ::testing::AllOf(HasSubstr(". This matrix is unlike"), Not(HasSubstr("2.50"))))
        << "the first sign has told its times";
    failure.signs.front().kind = FailureKind::OutsideTraining;
    failure.unfamiliar.clear();
    EXPECT_THAT(failure_words().sign_sentence(failure, failure.main()).toStdString(),
                Not(HasSubstr("This matrix")));
}

TEST(CasesModel, SaysThatItsTimesAreNotThoseOfTheOtherPage) {
    const CasesModel model(failure_words());
    EXPECT_THAT(model.headerData(CasesModel::Time, Qt::Horizontal, Qt::ToolTipRole).toString().toStdString(),
                HasSubstr("turn by turn"));
    FailureCase failure = failing("m", 2);
    EXPECT_FALSE(failure.is_of_turns());
    failure.signs.front().against.turn_ratios = {1.1, 1.2};
    EXPECT_TRUE(failure.is_of_turns());
}

TEST(CasesModel, CasesOfOneMatrixAndModelAreOne) {
    CasesModel model(failure_words());
    const QAbstractItemModelTester tester(&model);
    model.set_rows({failing("a", 2), failing("b", 3)});
    EXPECT_EQ(model.index(1, CasesModel::LostShare).data().toString(), QStringLiteral("+140\u00A0%"));
    model.set_rows({failing("b", 3)});
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.index(0, CasesModel::Workload).data().toString(), QStringLiteral("b"));
}

TEST(ReasonWords, ARuleIsToldWithItsPrecisionAndCoverage) {
    ModelReasons reasons;
    Anchor anchor;
    anchor.predicates = {{ReasonSubject::Workload, "longest_row", "longest row", PredicateRelation::Above,
                          "40", 40.0, "entries"}};
    anchor.precision = {0.97, 0.95, 0.99, 400};
    anchor.coverage = {0.2, 0.18, 0.22, 400};
    reasons.anchors.emplace();
    reasons.anchors->anchor = anchor;
    const std::string sentence = reason_sentences(reasons).join(u' ').toStdString();
    EXPECT_THAT(sentence, HasSubstr("as long as longest row stays above 40 entries in the matrix"));
    EXPECT_THAT(sentence, HasSubstr("97.0\u00A0%"));
    EXPECT_THAT(sentence, HasSubstr("20.0\u00A0%"));
}

TEST(SaliencyMarks, MarkTheCellsThatMoveTheModelMostByTheSideTheySpeakFor) {
    SaliencyReason reason;
    reason.row_edges = {0, 10, 20};
    reason.column_edges = {0, 5, 9};
    reason.cells = {{0, 0, 3, 1.0}, {0, 1, 3, 0.1}, {1, 1, 3, -0.8}, {1, 0, 2, std::nullopt}};
    const auto marks = saliency_marks(reason);
    ASSERT_EQ(marks.size(), 2) << "weak cells would cover the pattern";
    EXPECT_EQ(marks[0].area, (PatternArea{0, 10, 0, 5}));
    EXPECT_EQ(marks[1].area, (PatternArea{10, 20, 5, 9}));
    EXPECT_NE(marks[0].colour, marks[1].colour);
    EXPECT_TRUE(saliency_marks({}).empty());
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {

// What a model foresees beside what the times do, as charts.
namespace {

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
    UncertaintyReason reason{.confidence = 0.9, .checked_pairs = 60, .checked_workloads = 3};
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
