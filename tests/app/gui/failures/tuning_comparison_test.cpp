// What is said of a model before and after it has learned from its failures.
#include "gui/failures/tuning_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TuningState tuned_state() {
    TuningState state;
    state.workspace = QStringLiteral("w");
    state.model = QStringLiteral("first");
    state.machine = QStringLiteral("m");
    state.matrices = QStringList{QStringLiteral("learned")};
    state.families = state.learned_families = QStringList{QStringLiteral("blocked")};
    state.held_out = QStringList{QStringLiteral("block"), QStringLiteral("band"), QStringLiteral("network")};
    state.tuned = QStringLiteral("second");
    state.is_made = true;
    return state;
}

ReadFailures failures_of_both() {
    ReadFailures read;
    read.setting.run = RunId{7};
    read.setting.machine = QStringLiteral("m");
    read.setting.models = QStringList{QStringLiteral("first"), QStringLiteral("second")};
    read.setting.families = {{QStringLiteral("learned"), PatternFamily::Blocked},
                             {QStringLiteral("block"), PatternFamily::Blocked},
                             {QStringLiteral("band"), PatternFamily::Banded},
                             {QStringLiteral("network"), PatternFamily::PowerLaw}};
    for (const auto& [matrix, family] : read.setting.families)
        read.setting.matrices << matrix;
    const auto fails = [&](const char* model, const char* matrix, bool costs = true) {
        FailureCase failure;
        failure.model_name = model;
        failure.matrix = matrix;
        failure.signs.push_back({.kind = costs ? FailureKind::SlowerThanCsr : FailureKind::MisRanked,
                                 .held_against = costs ? FailureAgainst::FixedCsr : FailureAgainst::OwnBest,
                                 .chosen = {.schedule = "a", .milliseconds = 2},
                                 .against = {.schedule = "b", .milliseconds = 1}});
        read.cases.push_back(std::move(failure));
    };
    fails("first", "learned");
    fails("first", "block");
    fails("first", "band");
    fails("second", "network", false);
    for (const char* model : {"first", "second"}) {
        EvaluatedModel& evaluated = read.evaluation.models.emplace_back();
        evaluated.name = model;
        const bool is_before = evaluated.name == "first";
        for (const QString& matrix : read.setting.matrices) {
            EvaluatedMatrix& times = evaluated.matrices.emplace_back();
            times.times = {matrix.toStdString(), 4, is_before ? 2.0 : 1.0, 0.5};
            times.turns = 5;
            times.best_schedule = is_before ? "a" : "b";
            EvaluatedCandidate& chosen = times.candidates.emplace_back();
            chosen.rank = is_before ? 3 : 1;
            chosen.schedule = times.best_schedule;
            chosen.turns_spread_ms = 0.25;
        }
    }
    return read;
}

TEST(TuningComparison, CountsFailuresOnMatricesThatNeitherModelHasLearnedFrom) {
    const auto comparison = compare_tuning(tuned_state(), failures_of_both());
    ASSERT_TRUE(comparison);
    EXPECT_EQ(comparison->family, (TuningCount{1, 1, 0, 1, 0}));
    EXPECT_EQ(comparison->elsewhere, (TuningCount{2, 1, 1, 1, 0}));
    EXPECT_EQ(comparison->newly_failing, QStringList{QStringLiteral("network")});
    const std::string text = comparison_text(tuned_state(), *comparison).toStdString();
    EXPECT_THAT(text, AllOf(HasSubstr("same family (dense blocks; 1 matrix): 1 failure of first before, 0 "
                                      "failures of second after. Of these cost time 1 before, 0 after; only "
                                      "wrong about their own choice 0 before, 0 after."),
                            HasSubstr("other families (2 matrices): 1 failure of first before, 1 failure of "
                                      "second after. Of these cost time 1 before, 0 after; only wrong about "
                                      "their own choice 0 before, 1 after."),
                            HasSubstr("Failing anew: network.")));
}

TEST(TuningComparison, TellsOfEachMatrixWhatWasChosenBeforeAndAfterThoseThatWereLearnedFromFirst) {
    TuningState state = tuned_state();
    state.learned = QStringList{QStringLiteral("learned")};
    const ReadFailures read = failures_of_both();
    const auto comparison = compare_tuning(state, read);
    ASSERT_TRUE(comparison);
    ASSERT_EQ(comparison->outcomes.size(), 4U);
    const TuningOutcome& outcome = comparison->outcomes.front();
    EXPECT_EQ(outcome.matrix, QStringLiteral("learned"));
    EXPECT_EQ(outcome.before, (TuningChoice{QStringLiteral("a"), 2, 0.25, 3}));
    EXPECT_EQ(outcome.after, (TuningChoice{QStringLiteral("b"), 1, 0.25, 1}));
    EXPECT_EQ(outcome.fixed_csr_ms, 4);
    EXPECT_EQ(outcome.best_known_ms, 0.5);
    EXPECT_EQ(outcome.turns, 5) << "times of different hours are told to be such";
    EXPECT_TRUE(outcome.differs());
    EXPECT_EQ(comparison->family.matrices + comparison->elsewhere.matrices, 3)
        << "what was learned from is not counted";
    EXPECT_EQ(comparison->outcome(QStringLiteral("stranger")), nullptr);
}

TEST(TuningOutcome, DiffersOnlyByMoreThanBothSpreads) {
    TuningOutcome outcome;
    outcome.before = {QStringLiteral("a"), 2, 0.5};
    outcome.after = {QStringLiteral("b"), 1.2, 0.5};
    EXPECT_FALSE(outcome.differs());
    outcome.after.ms = 0.9;
    EXPECT_TRUE(outcome.differs());
    outcome.after.schedule = outcome.before.schedule;
    EXPECT_FALSE(outcome.differs()) << "the same schedule, whose time other turns told";
}

TEST(TuningComparison, SaysWhereNoOtherMatrixOfTheFamilyIsLeft) {
    TuningState state = tuned_state();
    state.held_out.removeAll(QStringLiteral("block"));
    const auto comparison = compare_tuning(state, failures_of_both());
    ASSERT_TRUE(comparison);
    EXPECT_EQ(comparison->family.matrices, 0);
    EXPECT_THAT(comparison_text(state, *comparison).toStdString(),
                HasSubstr("No other held-out matrix is of the same family (dense blocks)"));
}

TEST(TuningComparison, AnEvaluationOfOneOfBothOrOfAnotherMachineIsNone) {
    ReadFailures one = failures_of_both();
    one.setting.models.removeLast();
    EXPECT_FALSE(compare_tuning(tuned_state(), one));
    ReadFailures elsewhere = failures_of_both();
    elsewhere.setting.machine = QStringLiteral("other");
    EXPECT_FALSE(compare_tuning(tuned_state(), elsewhere));
}

TEST(TuningComparison, AnEvaluationInAnotherSettingIsNone) {
    ReadFailures wider = failures_of_both();
    wider.setting.dense = 2 * tuned_state().dense;
    EXPECT_FALSE(compare_tuning(tuned_state(), wider));
    ReadFailures further = failures_of_both();
    further.setting.k = tuned_state().k + 1;
    EXPECT_FALSE(compare_tuning(tuned_state(), further));
}

TEST(TuningComparison, CountsNothingButWhatThePlanHeldOut) {
    ReadFailures read = failures_of_both();
    read.setting.matrices << QStringLiteral("block_16x16_3") << QStringLiteral("stranger");
    const auto comparison = compare_tuning(tuned_state(), read);
    ASSERT_TRUE(comparison);
    EXPECT_EQ(comparison->family.matrices + comparison->elsewhere.matrices, 3);
    read.setting.matrices = QStringList{QStringLiteral("stranger")};
    EXPECT_FALSE(compare_tuning(tuned_state(), read)) << "nothing of it was held out";
}

TEST(TuningComparison, NeitherAnOlderEvaluationNorOneOfFewerMatricesReplacesIt) {
    TuningState state = tuned_state();
    ReadFailures read = failures_of_both();
    state.comparison = compare_tuning(state, read);
    read.setting.run = RunId{6};
    EXPECT_FALSE(compare_tuning(state, read));
    read.setting.run = RunId{8};
    EXPECT_TRUE(compare_tuning(state, read));
    read.setting.matrices.removeAll(QStringLiteral("network"));
    EXPECT_FALSE(compare_tuning(state, read));
}

TEST(TuningState, SurvivesBeingWrittenAndReadAgain) {
    TuningState state = tuned_state();
    state.op = Operator::SDDMM;
    state.dense = 32;
    state.k = 5;
    state.threads = 2;
    state.measuring = {JobId::createUuid(), JobId::createUuid()};
    state.tuning = JobId::createUuid();
    state.comparing = JobId::createUuid();
    state.outcome = QStringLiteral("pairs in order: 60 % → 80 %");
    state.learned = QStringList{QStringLiteral("learned")};
    state.comparison = TuningComparison{7, {9, 8, 1, 8, 0}, {81, 25, 17, 16, 5}, {QStringLiteral("memplus")}};
    state.comparison->outcomes.push_back({QStringLiteral("learned"),
                                          {QStringLiteral("a"), 2, 0.25, 3},
                                          {QStringLiteral("b"), 1, std::nullopt, std::nullopt},
                                          4,
                                          0.5,
                                          5});
    EXPECT_EQ(parse_tuning_states(tuning_states_json({state, tuned_state()})),
              (std::vector{state, tuned_state()}));
}

TEST(TuningState, WhatIsNoneIsLeftOut) {
    EXPECT_TRUE(parse_tuning_states("").empty());
    EXPECT_TRUE(parse_tuning_states("[1, {}, {\"workspace\": \"w\"}]").empty());
}

} // namespace
} // namespace sparsight::testing
