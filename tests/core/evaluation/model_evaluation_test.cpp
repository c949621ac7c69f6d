#include "core/evaluation/model_evaluation_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"
#include "evaluation/rematch_times.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/time_differences.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

TEST_F(ModelEvaluationTest, TakesTheFastestOfTheModelsKAndComparesItWithFixedCsrAndTheBestKnown) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked, tall});
    const ModelEvaluation evaluation = evaluate({m});
    const EvaluatedWorkload& found = evaluation.models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 6, 3, 2})) << "the third choice is not among two";
    EXPECT_EQ(found.best_configuration, blocked);
    EXPECT_EQ(found.best_known_configuration, tall);
    EXPECT_DOUBLE_EQ(evaluation.models[0].summary->mean_relative.value, 1);
    EXPECT_DOUBLE_EQ(evaluation.models[0].summary->regret.value, 0.5);
}

TEST_F(ModelEvaluationTest, OfSeveralTextsOfFixedCsrTheLastCountsAsInListsOfResults) {
    const WorkloadId a = matrix("a");
    const ModelId m = model("m");
    const auto at = [&](const char* schedule, double median, const char* date) {
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(median);
        ASSERT_TRUE(record_measurement(*workspace_, {a, machine_, 256, "recorded"},
                                       *parse_schedule(Operator::SpMM, schedule), measurement, run_, date));
    };
    at(csr, 4, "2026-01-01T00:00:00.000Z"); // short by luck
    at("1 1 1 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 32", 6, "2026-01-02T00:00:00.000Z");
    at(blocked, 5, "2026-01-03T00:00:00.000Z");
    choose(m, a, {blocked});
    const auto listed = list_results(*workspace_, ResultQuery{.workload = "a"});
    ASSERT_TRUE(listed && listed->size() == 3);
    EXPECT_TRUE((*listed)[1].is_baseline);
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 6, 5, 5})) << "nor is the luck the best known";
    EXPECT_DOUBLE_EQ(found.times.speedup(), *listed->back().speedup);
}

TEST_F(ModelEvaluationTest, TimesTakenInTurnsCountInThePlaceOfEarlierOnes) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked, csr});
    rematch(a, {{csr, 9}, {blocked, 4}, {tall, 3.5}}); // a third slower now than it was
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 9, 4, 3.5, 4}));
    EXPECT_EQ(found.turns, 5);
    EXPECT_FALSE(found.has_faster_since);
    EXPECT_EQ(found.best_known_configuration, tall);
    EXPECT_DOUBLE_EQ(*found.candidates[1].turns_ms, 4);
    EXPECT_DOUBLE_EQ(*found.candidates[1].median_ms, 3) << "comparable with what was not";
    EXPECT_FALSE(found.candidates[0].turns_ms) << "it was not measured in turns";
    EXPECT_DOUBLE_EQ(*found.candidates[0].median_ms, 12);
}

TEST_F(ModelEvaluationTest, ARematchWithoutFixedCsrOrAnyOfTheModelsChangesNothing) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    rematch(a, {{blocked, 4}, {tall, 3.5}});
    EXPECT_EQ(evaluate({m}).models.at(0).workloads.at(0).times, (WorkloadSpeedup{"a", 6, 3, 2}));
    rematch(a, {{csr, 9}, {tall, 3.5}, {blocked, 0}}); // could not be measured in every turn
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 6, 3, 2}));
    EXPECT_EQ(found.turns, 0);
}

TEST_F(ModelEvaluationTest, SaysWhatCouldNotBeMeasuredInTurnsAndWhy) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    rematch(a, {{csr, 9}, {blocked, 4}, {tall, 0}});
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_EQ(evaluation.models.at(0).workloads.at(0).times.best_known_ms, 4);
    ASSERT_EQ(evaluation.missed_turns.size(), 1U);
    EXPECT_EQ(evaluation.missed_turns[0].configuration, tall);
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("could not be measured in turns on a, and is compared "
                                                       "with nothing there: no memory."));
    EXPECT_THAT(evaluation_json(evaluation)["missed_turns"].dump(), HasSubstr("no memory"));
}

TEST_F(ModelEvaluationTest, OfAnOlderWorkspaceHasOneTurnAndNoReason) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    const auto spmm = [](const char* line) { return *parse_schedule(Operator::SpMM, line); };
    const std::vector<RematchTime> times{{spmm(csr), {9}}, {spmm(blocked), {4}}, {spmm(tall)}};
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times));
    const std::string text = evaluation_text(evaluate({m}));
    EXPECT_THAT(text, HasSubstr("once more, in 1 turn"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("1 turns")));
    EXPECT_THAT(text, HasSubstr("compared with nothing there. Evaluate"));
}

TEST_F(ModelEvaluationTest, TellsTheFastestByTurnsThatDidNotChooseItRelativeToFixedCsr) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    // All of the second turn took twice as long; tall had luck once in a turn.
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {8, 16, 8}},
        {*parse_schedule(Operator::SpMM, blocked), {4, 8, 4}},
        {*parse_schedule(Operator::SpMM, tall), {1, 9, 4.5}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times.speedup(), 2);
    EXPECT_EQ(found.speedup_error, 0) << "what slows a whole turn down is no error of a ratio";
    EXPECT_EQ(found.candidates[0].turns_spread_ms, 0);
    EXPECT_EQ(found.best_known_configuration, blocked);
    EXPECT_GT(found.times.best_known_ms, 4) << "the turns that chose tall say so; the others know better";
}

TEST_F(ModelEvaluationTest, TheLossOfAFailureIsThatOfTheSpeedup) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, tall, slow});
    // By turns blocked and tall change places: the turns that choose the one are those where it had luck.
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {2, 2, 2, 2, 2}},
        {*parse_schedule(Operator::SpMM, blocked), {4, 8, 8, 8, 4}},
        {*parse_schedule(Operator::SpMM, tall), {8, 4, 4, 8, 8}},
        {*parse_schedule(Operator::SpMM, slow), {20, 20, 20, 20, 20}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const ModelEvaluation evaluation = evaluate({m}, 3);
    const EvaluatedWorkload& found = evaluation.models.at(0).workloads.at(0);
    EXPECT_DOUBLE_EQ(found.times.speedup(), 0.25);
    const auto cases = find_failures(evaluation);
    ASSERT_EQ(cases.size(), 1U);
    const FailureSign& sign = cases[0].main();
    EXPECT_EQ(sign.kind, FailureKind::SlowerThanBaseline);
    EXPECT_DOUBLE_EQ(found.times.speedup(), 1 / (1 + sign.lost_share()));
    EXPECT_EQ(sign.chosen.configuration, found.best_configuration);
    ASSERT_TRUE(sign.chosen.raw_ms && found.best_told);
    EXPECT_EQ(*sign.chosen.raw_ms, found.best_told->raw_ms);
    EXPECT_LT(*sign.chosen.raw_ms, 7) << "of its own turns, by luck; the others tell 8 ms";
    EXPECT_THAT(failure_case_json(cases[0], sparse_words()).dump(), HasSubstr("\"raw_ms\""));
}

TEST_F(ModelEvaluationTest, ResultsAndFailuresTellTheSameOfEveryCase) {
    const ModelId m = model("m");
    Random random(5);
    for (int place = 0; place < 24; ++place) {
        const std::string name = fmt::format("matrix{}", place);
        const WorkloadId matrix = timed_matrix(name.c_str());
        choose(m, matrix, {blocked, tall, slow});
        std::vector<RematchTime> times{{*parse_schedule(Operator::SpMM, csr)},
                                       {*parse_schedule(Operator::SpMM, blocked)},
                                       {*parse_schedule(Operator::SpMM, tall)},
                                       {*parse_schedule(Operator::SpMM, slow)}};
        for (int turn = 0; turn < 5; ++turn) {
            const double slowed = 1 + random.uniform();
            for (std::size_t each = 0; each < times.size(); ++each)
                times[each].turns_ms.push_back((each == 0 ? 1 : 1.6) * slowed *
                                               std::exp(0.06 * random.normal()));
        }
        ASSERT_TRUE(record_rematch(*workspace_, run_, matrix, times).has_value());
    }
    const ModelEvaluation evaluation = evaluate({m}, 3);
    const auto results = evaluation_json(evaluation);
    int told = 0;
    for (const FailureCase& each : find_failures(evaluation)) {
        const auto failure = failure_case_json(each, sparse_words());
        const auto& matrices = results["models"][0]["matrices"];
        const auto result = std::ranges::find_if(
            matrices, [&](const auto& one) { return one["matrix"] == failure["matrix"]; });
        ASSERT_NE(result, matrices.end());
        for (const auto& sign : failure["signs"])
            if (sign["kind"] == "slower_than_csr") {
                ++told;
                EXPECT_NEAR((*result)["speedup"].get<double>(), 1 / (1 + sign["lost_share"].get<double>()),
                            1e-12);
                EXPECT_EQ(sign["chosen"]["ms"], (*result)["best_ms"]);
                EXPECT_EQ(sign["chosen"]["schedule"], (*result)["best_schedule"]);
            }
    }
    EXPECT_GT(told, 10) << "of 24 that lose, although turns scatter by 6 %";
}

TEST_F(ModelEvaluationTest, FormsOfOneMatrixAreOneFamilyAndTurnsAreInTheInterval) {
    const ModelId m = model("m");
    std::vector<WorkloadId> matrices;
    for (const char* name : {"a", "a_t", "b", "c"}) {
        matrices.push_back(timed_matrix(name));
        choose(m, matrices.back(), {blocked, slow});
    }
    const EvaluatedModel before = evaluate({m}).models.at(0);
    EXPECT_EQ(before.summary->workloads, 4U);
    EXPECT_EQ(before.summary->families, 3U) << "a transpose is a form of its matrix";
    const Interval equal = *before.summary->geometric_mean.interval;
    EXPECT_EQ(equal.low, equal.high) << "twice as fast on each";
    for (const WorkloadId matrix : matrices)
        ASSERT_TRUE(record_rematch(*workspace_, run_, matrix,
                                   std::vector<RematchTime>{
                                       {*parse_schedule(Operator::SpMM, csr), {8, 8, 8, 8, 8}},
                                       {*parse_schedule(Operator::SpMM, blocked), {3.5, 4, 4.5, 3.8, 4.2}}})
                        .has_value());
    const Interval noisy = *evaluate({m}).models.at(0).summary->geometric_mean.interval;
    EXPECT_GT(noisy.high, 1.1 * noisy.low) << "that all agree is luck";
}

TEST_F(ModelEvaluationTest, EqualMatricesOfOtherNamesAreOneFamily) {
    const ModelId m = model("m");
    const auto pattern = generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", 0.1}}, 1);
    ASSERT_TRUE(pattern.has_value());
    for (const char* name : {"one", "copy", "other"}) {
        choose(m, timed_matrix(name), {blocked, slow});
        if (std::string_view(name) != "other") {
            ASSERT_TRUE(add_matrix(*workspace_, {name, "generated", {}}, *pattern).has_value());
        }
    }
    const SpeedupSummary summary = *evaluate({m}).models.at(0).summary;
    EXPECT_EQ(summary.workloads, 3U);
    EXPECT_EQ(summary.families, 2U);
}

TEST_F(ModelEvaluationTest, ASpeedupIsMarkedWhereTurnsLieFarApart) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {8, 8, 8, 8, 8}},
        {*parse_schedule(Operator::SpMM, blocked), {3, 4, 5, 3.5, 4.5}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_TRUE(evaluation.models.at(0).workloads.at(0).is_uncertain());
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("±: on a a speedup may be off by more than 6 %"));
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("+101.1 % ± "));
    EXPECT_EQ(evaluation_json(evaluation)["models"][0]["matrices"][0]["uncertain"], true);
}

TEST_F(ModelEvaluationTest, AChoiceAndTheBestKnownAreComparedTurnByTurn) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    // What disturbs both in a turn, against fixed CSR, is in neither's lead over the other.
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {20, 20, 20, 20, 20}},
        {*parse_schedule(Operator::SpMM, blocked), {5.2, 8.1, 4.1, 9.1, 6.2}},
        {*parse_schedule(Operator::SpMM, tall), {4, 6.2, 3.2, 7, 4.7}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const ModelEvaluation evaluation = evaluate({m});
    const EvaluatedWorkload& found = evaluation.models.at(0).workloads.at(0);
    EXPECT_TRUE(found.is_uncertain()) << "over fixed CSR";
    ASSERT_TRUE(found.regret_error);
    EXPECT_LT(*found.regret_error, 0.02);
    EXPECT_FALSE(found.is_regret_uncertain());
    const auto cases = find_failures(evaluation);
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(cases[0].main().kind, FailureKind::HighRegret);
    EXPECT_EQ(cases[0].main().significance, Significance::BeyondNoise)
        << "as independent errors both would be within the noise";
}

TEST_F(ModelEvaluationTest, TheErrorOfARegretIsWiderWhereTheTurnsDisagreeOnTheBestKnown) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const std::vector<RematchTime> times{
        {*parse_schedule(Operator::SpMM, csr), {20, 20, 20, 20, 20}},
        {*parse_schedule(Operator::SpMM, blocked), {4, 8, 8, 8, 4}},
        {*parse_schedule(Operator::SpMM, tall), {8, 4, 4, 8, 8}},
    };
    ASSERT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    ASSERT_TRUE(found.best_told && found.best_known_told && found.regret_error);
    EXPECT_TRUE(found.best_told->turns_agree) << "of its choices one alone took turns";
    EXPECT_FALSE(found.best_known_told->turns_agree);
    const TurnRatio regret = ratio_by_turn(found.best_told->turn_ratios, found.best_known_told->turn_ratios);
    EXPECT_GT(*regret.error, 0);
    EXPECT_NEAR(*found.regret_error, 1.5 * *regret.error, 1e-12) << "the root of 1 + 5 / 4";
}

TEST_F(ModelEvaluationTest, SaysWhereSomethingFasterWasMeasuredSince) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    rematch(a, {{csr, 9}, {blocked, 4}, {tall, 3.5}});
    time(a, unknown, 1);
    const EvaluatedWorkload found = evaluate({m}).models.at(0).workloads.at(0);
    EXPECT_EQ(found.times, (WorkloadSpeedup{"a", 9, 4, 3.5, 4}))
        << "the time of another hour is compared with none";
    EXPECT_TRUE(found.has_faster_since);
    EXPECT_THAT(evaluation_text(evaluate({m})),
                HasSubstr("What may be faster was measured since on a: evaluate again"));
}

TEST_F(ModelEvaluationTest, FixedCsrTheFirstAndTheFastestOfEachModelAndOfAllAreMeasuredAgain) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {slow, blocked});
    const auto again = contenders_of({m}, a);
    ASSERT_EQ(again.size(), 4U) << "two of the model, and of all that has a time each once";
    EXPECT_TRUE(is_fixed_csr(again[0]));
    EXPECT_EQ(again[1], meaning(blocked)) << "the model's, the fastest first";
    EXPECT_EQ(again[2], meaning(slow));
    EXPECT_EQ(again[3], meaning(tall));
}

TEST_F(ModelEvaluationTest, NothingIsMeasuredAgainWhereAModelHasNoTime) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {unknown});
    EXPECT_TRUE(contenders_of({m}, a).empty());
}

TEST_F(ModelEvaluationTest, CountsFixedCsrAsAnAnswerOnlyWhereTheModelChoseIt) {
    const WorkloadId a = timed_matrix("a");
    const ModelId falls_back = model("falls back");
    const ModelId chooses = model("chooses");
    choose(falls_back, a, {slow, csr});
    choose(chooses, a, {csr, slow});
    const ModelEvaluation evaluation = evaluate({falls_back, chooses}, 1);
    EXPECT_DOUBLE_EQ(evaluation.models[0].workloads[0].times.speedup(), 0.5)
        << "the fallback stands behind the one that was chosen";
    EXPECT_DOUBLE_EQ(evaluation.models[0].summary->mean_relative_with_fallback.value, 0);
    EXPECT_EQ(evaluation.models[0].chosen, 1);
    EXPECT_DOUBLE_EQ(evaluation.models[1].workloads[0].times.speedup(), 1);
}

TEST_F(ModelEvaluationTest, LooksAScheduleUpByItsMeaningWhateverItsThreads) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {"4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8"});
    EXPECT_DOUBLE_EQ(evaluate({m}).models[0].workloads.at(0).times.best_ms, 3);
}

TEST_F(ModelEvaluationTest, SaysWhichChoicesHaveNoTime) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {unknown, blocked});
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_EQ(evaluation.models[0].without_time, 1);
    EXPECT_FALSE(evaluation.models[0].workloads[0].candidates[0].status.has_value());
    EXPECT_DOUBLE_EQ(evaluation.models[0].workloads[0].times.best_ms, 3);
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("1 of the 2 schedules that m chose have no time"));
}

TEST_F(ModelEvaluationTest, TakesAGivenUpTimeAsABoundOnlyWhereNothingElseHasOne) {
    const WorkloadId a = timed_matrix("a");
    time(a, unknown, 1, MeasurementStatus::GaveUp);
    const ModelId m = model("m");
    choose(m, a, {unknown, slow});
    EXPECT_DOUBLE_EQ(evaluate({m}).models[0].workloads[0].times.best_ms, 12);
    const EvaluatedWorkload bound = evaluate({m}, 1).models[0].workloads[0];
    EXPECT_DOUBLE_EQ(bound.times.best_ms, 1);
    EXPECT_TRUE(bound.best_was_given_up);
}

TEST_F(ModelEvaluationTest, ComparesModelsOnTheMatricesThatAllOfThemCanBeJudgedOn) {
    const WorkloadId a = timed_matrix("a");
    const WorkloadId b = timed_matrix("b");
    const WorkloadId without_csr = matrix("no CSR");
    time(without_csr, blocked, 1);
    const ModelId first = model("first");
    const ModelId second = model("second");
    for (const WorkloadId each : {a, without_csr})
        choose(first, each, {slow});
    choose(first, b, {unknown});
    for (const WorkloadId each : {a, b, without_csr})
        choose(second, each, {blocked});
    const ModelEvaluation evaluation = evaluate({first, second}, 1);
    for (const EvaluatedModel& model : evaluation.models) {
        ASSERT_EQ(model.workloads.size(), 1U) << model.name;
        EXPECT_EQ(model.workloads[0].times.workload, "a");
    }
    ASSERT_EQ(evaluation.left_out.size(), 2U);
    EXPECT_EQ(evaluation.left_out[0].workload, "b");
    EXPECT_EQ(evaluation.left_out[0].reason, "none of the 1 schedules that first chose has a time there");
    EXPECT_EQ(evaluation.left_out[1].reason, "fixed CSR has no time there");
    ASSERT_EQ(evaluation.comparisons.size(), 1U);
    EXPECT_EQ(evaluation.comparisons[0].model, "second");
    EXPECT_EQ(evaluation.comparisons[0].figures.noise_unknown, 1) << "the times have no spread";
}

TEST_F(ModelEvaluationTest, HasTheAgreementOfScoresWithTimes) {
    const WorkloadId a = timed_matrix("a");
    const ModelId right = model("right");
    const ModelId wrong = model("wrong");
    choose(right, a, {tall, blocked, slow});
    choose(wrong, a, {slow, blocked, tall});
    const ModelEvaluation evaluation = evaluate({right, wrong}, 3);
    EXPECT_DOUBLE_EQ(*evaluation.models[0].kendall_tau, 1);
    EXPECT_DOUBLE_EQ(*evaluation.models[1].kendall_tau, -1);
}

TEST_F(ModelEvaluationTest, FindsTheLossesOfAModelAndOfThoseItWasTunedFrom) {
    const RunId training = *start_run(*workspace_, "train", "{}");
    const RunId tuning = *start_run(*workspace_, "finetune", "{}");
    for (const int epoch : {1, 2})
        ASSERT_TRUE(record_metric(*workspace_, training, "epoch/training_loss", {epoch, 1.0 / epoch}));
    ASSERT_TRUE(record_metric(*workspace_, training, "validation/loss", {2, 0.7}));
    ASSERT_TRUE(record_metric(*workspace_, tuning, "epoch/training_loss", {1, 0.4}));
    const ModelId parent = model("parent", training);
    const ModelId tuned = model("tuned", tuning, parent);
    const ModelEvaluation evaluation = evaluate({tuned, parent});
    ASSERT_EQ(evaluation.curves.size(), 2U) << "the parent's once";
    EXPECT_EQ(evaluation.curves[0].model, "tuned");
    EXPECT_EQ(evaluation.curves[1].training.size(), 2U);
    EXPECT_DOUBLE_EQ(evaluation.curves[1].validation.at(0).value, 0.7);
}

TEST_F(ModelEvaluationTest, RefusesAModelThatIsNotThere) {
    const auto evaluation = try_evaluating({static_cast<ModelId>(99)});
    ASSERT_FALSE(evaluation.has_value());
    EXPECT_EQ(evaluation.error().message, "the workspace has no model 99");
}

TEST_F(ModelEvaluationTest, OfMatricesWithoutTimesHasNoFiguresButSaysWhy) {
    const WorkloadId a = matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked});
    const ModelEvaluation evaluation = evaluate({m});
    EXPECT_FALSE(evaluation.models[0].summary.has_value());
    EXPECT_THAT(evaluation_text(evaluation), HasSubstr("a is left out: fixed CSR has no time there."));
    EXPECT_THAT(evaluation_html(evaluation), HasSubstr("fixed CSR has no time there"));
}

} // namespace
} // namespace sparsight
