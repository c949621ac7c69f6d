#include "core/evaluation/failures/invented_evaluation.h"
#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/explanation/failures/stored_failures.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

std::vector<FailureKind> kinds(const FailureCase& failure) {
    std::vector<FailureKind> kinds;
    for (const FailureSign& sign : failure.signs)
        kinds.push_back(sign.kind);
    return kinds;
}

TEST(FindFailures, FindsNothingWhereTheChoiceIsTheBestThatIsKnown) {
    EXPECT_TRUE(find_failures(invented_evaluation({invented_matrix("good", 2, {{1.0, 0.0}})})).empty());
}

TEST(FindFailures, TellsHowMuchIsLostToFixedCsr) {
    const auto cases = find_failures(invented_evaluation({invented_matrix("bad", 2, {{3.0, 0.0}})}));
    ASSERT_EQ(cases.size(), 1);
    const FailureSign& sign = cases[0].main();
    EXPECT_EQ(sign.kind, FailureKind::SlowerThanBaseline);
    EXPECT_EQ(sign.held_against, FailureAgainst::Baseline);
    EXPECT_EQ(sign.chosen.configuration, schedule_text(0));
    EXPECT_EQ(sign.against.configuration, csr_text);
    EXPECT_DOUBLE_EQ(sign.lost_ms(), 1);
    EXPECT_DOUBLE_EQ(sign.lost_share(), 0.5);
    EXPECT_EQ(sign.significance, Significance::BeyondNoise);
    EXPECT_EQ(cases[0].model_name, "first");
}

TEST(FindFailures, WhatTheSpreadsCoverIsNoFailure) {
    const auto evaluation = [](double spread) {
        return invented_evaluation({invented_matrix("noisy", 2, {{2.2, 0.0, spread}})});
    };
    EXPECT_TRUE(find_failures(evaluation(0.3)).empty());
    EXPECT_EQ(find_failures(evaluation(0.1)).size(), 1);
}

TEST(FindFailures, SimulatedTimesWithoutASpreadSaySo) {
    ModelEvaluation evaluation = invented_evaluation({invented_matrix("bad", 2, {{3.0, 0.0, 0.0}})});
    evaluation.source = TimeSource::Simulated;
    evaluation.models[0].workloads[0].baseline_spread_ms = 0;
    EXPECT_EQ(find_failures(evaluation).at(0).main().significance, Significance::NoiseUnknown);
    EXPECT_TRUE(find_failures(evaluation, {}, {.assumed_noise = 0.3}).empty());
    EXPECT_EQ(find_failures(evaluation, {}, {.assumed_noise = 0.1}).at(0).main().significance,
              Significance::BeyondNoise);
}

TEST(FindFailures, RegretIsHeldAgainstTheBestKnown) {
    const auto cases = find_failures(invented_evaluation({invented_matrix("far", 2, {{1.5, 0.0}}, 1.0)}));
    ASSERT_EQ(cases.size(), 1);
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::HighRegret));
    EXPECT_EQ(cases[0].main().against.configuration, schedule_text(7));
    EXPECT_EQ(cases[0].main().held_against, FailureAgainst::BestKnown);
}

TEST(FindFailures, WhereFixedCsrIsTheBestKnownTheLossToItIsToldOnce) {
    const auto cases = find_failures(invented_evaluation({invented_matrix("bad", 2, {{3.0, 0.0}})}));
    EXPECT_THAT(kinds(cases.at(0)), ElementsAre(FailureKind::SlowerThanBaseline));
}

TEST(FindFailures, TimesThatWereTakenInTurnsAreComparedWithEachOtherAlone) {
    ModelEvaluation evaluation =
        invented_evaluation({invented_matrix("drifted", 4, {{3.0, 0.0}, {2.9, 1.0}, {2.0, 2.0}})});
    EvaluatedWorkload& matrix = evaluation.models[0].workloads[0];
    matrix.turns = 5;
    matrix.times.best_ms = 3.0; // all by half slower than before
    matrix.candidates[2].turns_ms = 3.0;
    EXPECT_TRUE(find_failures(evaluation).empty()) << "of the first choice only an older time is known";
    matrix.candidates[0].turns_ms = 4.5;
    matrix.candidates[0].turns_spread_ms = matrix.candidates[2].turns_spread_ms = 0.01;
    const auto cases = find_failures(evaluation);
    ASSERT_EQ(cases.size(), 1);
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::MisRanked));
    EXPECT_DOUBLE_EQ(cases[0].main().chosen.milliseconds, 4.5);
}

TEST(FindFailures, AFarBetterScheduleOfItsOwnThatItRankedLowerIsMisRanked) {
    const auto cases = find_failures(
        invented_evaluation({invented_matrix("misled", 4, {{3.0, 0.0}, {2.9, 1.0}, {2.0, 2.0}})}));
    ASSERT_EQ(cases.size(), 1);
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::MisRanked));
    EXPECT_EQ(cases[0].main().chosen.rank, 1);
    EXPECT_EQ(cases[0].main().against.rank, 3);
}

TEST(FindFailures, ALittleLossCountsWhereTheWholeRankingIsAgainstTheTimes) {
    EvaluatedWorkload matrix = invented_matrix(
        "upside-down", 4, {{2.6, 0.0}, {2.5, 1.0}, {2.4, 2.0}, {2.3, 3.0}, {2.2, 4.0}, {2.1, 5.0}});
    EXPECT_TRUE(find_failures(invented_evaluation({matrix})).empty());
    matrix.kendall_tau = -0.4;
    EXPECT_TRUE(find_failures(invented_evaluation({matrix})).empty())
        << "six fall into such an order by chance";
    matrix.kendall_tau = -1;
    const auto cases = find_failures(invented_evaluation({matrix}));
    ASSERT_EQ(cases.size(), 1);
    EXPECT_EQ(cases[0].sign(FailureKind::MisRanked)->figure, -1);
}

TEST(FindFailures, ALeadThatWasForeseenAndIsNotThereIsOverConfidence) {
    // One unit of score is a factor of 2 on the other matrices; here it foresees a lead of 2 and loses 5 %.
    const EvaluatedWorkload sane = invented_matrix("sane", 9, {{1.0, 0.0}, {2.0, 1.0}, {4.0, 2.0}});
    const EvaluatedWorkload sure = invented_matrix("sure", 9, {{2.1, 0.0}, {2.0, 1.0}});
    const auto cases = find_failures(invented_evaluation({sane, sure}));
    ASSERT_EQ(cases.size(), 1);
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::OverConfident));
    EXPECT_NEAR(cases[0].main().figure.value(), 0.5, 1e-9);
}

TEST(FindFailures, APatternUnlikeTheTrainingSetIsToldWhereTheModelLoses) {
    PatternStatistics familiar;
    familiar.rows = familiar.cols = 1000;
    familiar.nnz = 10'000;
    std::vector<StatisticVector> trained;
    for (const std::int64_t nnz : {8'000, 10'000, 12'000}) {
        PatternStatistics each = familiar;
        each.nnz = nnz;
        trained.push_back(statistic_vector(each));
    }
    PatternStatistics strange = familiar;
    strange.nnz = 900'000;
    FailureContext context =
        failure_context(invented_evaluation({}),
                        {{"losing", strange}, {"winning", strange}, {"familiar", familiar}}, std::nullopt);
    context.trained_on.emplace(ModelId{1}, *training_range(trained));
    const auto cases =
        find_failures(invented_evaluation({invented_matrix("losing", 2, {{1.05, 0.0}}, 1.0),
                                           invented_matrix("winning", 2, {{1.0, 0.0}}),
                                           invented_matrix("familiar", 2, {{1.05, 0.0}}, 1.0)}),
                      context);
    ASSERT_EQ(cases.size(), 1);
    EXPECT_EQ(cases[0].workload, "losing");
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::OutsideTraining));
    EXPECT_THAT(cases[0].unfamiliar, ElementsAre(Field(&UnfamiliarStatistic::name, "nnz")));
    EXPECT_GT(cases[0].main().figure.value(), 10);
}

TEST(FindFailures, AllFiguresOfACaseAreOfItsGravestSign) {
    PatternStatistics familiar;
    familiar.rows = familiar.cols = 1000;
    std::vector<StatisticVector> trained;
    for (const std::int64_t nnz : {8'000, 10'000, 12'000}) {
        familiar.nnz = nnz;
        trained.push_back(statistic_vector(familiar));
    }
    PatternStatistics strange = familiar;
    strange.nnz = 900'000;
    FailureContext context = failure_context(invented_evaluation({}), {{"misled", strange}}, std::nullopt);
    context.trained_on.emplace(ModelId{1}, *training_range(trained));
    // The first choice takes 80 % longer than the best, which takes 5 % longer than the best known.
    const auto cases =
        find_failures(invented_evaluation({invented_matrix("misled", 4, {{1.89, 0.0}, {1.05, 1.0}}, 1.0),
                                           invented_matrix("slow", 1, {{1.05, 0.0}}, 0.5)}),
                      context);
    ASSERT_EQ(cases.size(), 2);
    ASSERT_EQ(cases[0].workload, "misled");
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::MisRanked, FailureKind::OutsideTraining));
    EXPECT_EQ(cases[0].main().kind, FailureKind::OutsideTraining) << "a wrong order costs no time";
    ASSERT_THAT(kinds(cases[1]), ElementsAre(FailureKind::SlowerThanBaseline, FailureKind::HighRegret));
    for (const FailureCase& each : cases) {
        EXPECT_NEAR(each.lost_ms(), 0.05, 1e-12);
        EXPECT_NEAR(each.lost_ms(), each.main().lost_share() * each.main().against.milliseconds, 1e-12);
    }
}

/// Of a matrix whose size is known, measured where our code ran.
FailureContext context_of(const std::string& matrix) {
    PatternStatistics statistics;
    statistics.rows = statistics.cols = 1000;
    statistics.nnz = 10'000;
    return failure_context(invented_evaluation({}), {{matrix, statistics}}, KernelTarget{16, 24});
}

// All schedules here differ from fixed CSR in a split of j that the lowering undoes.
TEST(FindFailures, NothingFailsAgainstItsOwnProgram) {
    const auto slow = invented_evaluation({invented_matrix("noisy", 2, {{3.0, 0.0}, {2.4, 1.0}}, 1.0)});
    EXPECT_FALSE(find_failures(slow).empty());
    EXPECT_TRUE(find_failures(slow, context_of("noisy")).empty());
    EXPECT_FALSE(find_failures(slow, context_of("another")).empty()) << "its size is not known";
}

// The choice was measured at 2 ms and, as another schedule of the model's, at 1.2 ms.
TEST(FindFailures, AProgramHasTheShortestTimeThatWasFoundForIt) {
    EvaluatedWorkload matrix = invented_matrix("noisy", 1, {{2.0, 0.0}, {1.2, 1.0}});
    const std::string other_csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8";
    matrix.baseline_configuration = matrix.best_known_configuration = other_csr;
    const auto cases = find_failures(invented_evaluation({matrix}), context_of("noisy"));
    ASSERT_EQ(cases.size(), 1);
    EXPECT_THAT(kinds(cases[0]), ElementsAre(FailureKind::SlowerThanBaseline))
        << "the two are not ranked wrongly";
    EXPECT_DOUBLE_EQ(cases[0].main().chosen.milliseconds, 1.2);
}

TEST(FindFailures, WhatWasOnlyRankedWronglyLosesNoTime) {
    const auto cases =
        find_failures(invented_evaluation({invented_matrix("misled", 4, {{3.0, 0.0}, {2.9, 1.0}, {2.0, 2.0}}),
                                           invented_matrix("bad", 1, {{1.1, 0.0}})}));
    ASSERT_EQ(cases.size(), 2);
    EXPECT_EQ(cases[0].workload, "bad");
    EXPECT_NEAR(cases[0].lost_ms(), 0.1, 1e-12);
    EXPECT_EQ(cases[1].lost_ms(), 0);
    EXPECT_DOUBLE_EQ(cases[1].main().lost_ms(), 1);
    EXPECT_EQ(failures_headline(cases, 10, 2),
              "2 of 10 choices fail; 0.1 ms are lost in all, in 2 groups. 1 of "
              "them was only wrong about its own choices: nothing is lost by "
              "that.");
}

TEST(FindFailures, SimulatedTimesAreCalledSo) {
    ModelEvaluation evaluation = invented_evaluation({invented_matrix("bad", 2, {{3.0, 0.0}})});
    evaluation.source = TimeSource::Simulated;
    const auto cases = find_failures(evaluation);
    ASSERT_EQ(cases.size(), 1);
    EXPECT_EQ(cases[0].times, TimeSource::Simulated);
    EXPECT_EQ(failures_headline(cases, 1, 1),
              "1 of 1 choice fails; 1 simulated ms are lost in all, in 1 group.");
    EXPECT_EQ(group_loss(group_failures(cases).at(0)), "1 ms lost, simulated");
}

TEST(FindFailures, TheGreatestLossComesFirst) {
    const auto cases = find_failures(invented_evaluation(
        {invented_matrix("small", 1, {{1.5, 0.0}}), invented_matrix("large", 10, {{12.0, 0.0}})}));
    ASSERT_EQ(cases.size(), 2);
    EXPECT_EQ(cases[0].workload, "large");
}

TEST(FailureKinds, ReadBackFromTheirNames) {
    for (const FailureKind kind : all_failure_kinds)
        EXPECT_EQ(parse_failure_kind(name(kind)), kind);
    EXPECT_EQ(parse_failure_kind("slower_than_csr"), FailureKind::SlowerThanBaseline)
        << "of earlier versions";
    EXPECT_FALSE(parse_failure_kind("slow"));
}

TEST(FailureJson, NamesTheBaselineByTheWordOfTheDomain) {
    const auto cases = find_failures(invented_evaluation({invented_matrix("m", 1, {{1.5, 0.0}})}));
    const auto of_sparse = failure_case_json(cases.at(0), sparse_words());
    EXPECT_EQ(of_sparse["signs"][0]["kind"], "slower_than_csr");
    EXPECT_EQ(of_sparse["signs"][0]["held_against"], "csr");
    DomainWords words = sparse_words();
    words.baseline = Noun{"default heuristic", "default heuristics"};
    EXPECT_EQ(failure_case_json(cases.at(0), words)["signs"][0]["kind"], "slower_than_heuristic");
}

ScoreCalibration foreseen(const std::vector<EvaluatedWorkload>& matrices) {
    return {invented_evaluation(matrices).models.front(), 20};
}

TEST(ScoreCalibration, ReadsTheUnitOfAScoreOffTheTimesWhateverTheLevelOfAMatrix) {
    const auto times = foreseen({invented_matrix("fast", 9, {{1.0, 0.0}, {2.0, 1.0}, {4.0, 2.0}}),
                                 invented_matrix("slow", 900, {{100.0, 50.0}, {200.0, 51.0}})});
    EXPECT_NEAR(times.factor("another", 0, 1).value(), 0.5, 1e-9);
    EXPECT_NEAR(times.factor("another", 3, 1).value(), 4, 1e-9);
}

TEST(ScoreCalibration, AMatrixDoesNotVouchForItself) {
    const auto times = foreseen({invented_matrix("a", 9, {{1.0, 0.0}, {2.0, 1.0}}),
                                 invented_matrix("b", 9, {{1.0, 0.0}, {9.0, 1.0}})});
    EXPECT_NEAR(times.factor("b", 0, 1).value(), 0.5, 1e-9);
    EXPECT_FALSE(foreseen({invented_matrix("only", 9, {{1.0, 0.0}, {2.0, 1.0}})}).factor("only", 0, 1));
}

TEST(ScoreCalibration, AModelThatRanksUpsideDownForeseesNothing) {
    EXPECT_FALSE(foreseen({invented_matrix("a", 9, {{2.0, 0.0}, {1.0, 1.0}})}).factor("b", 0, 1));
}

} // namespace
} // namespace sparsight::testing
