#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "gui/domains/sparse/failures/tuning/before_after_view.h"
#include "gui/domains/sparse/failures/tuning/tuning_comparison.h"
#include "gui/domains/sparse/failures/tuning/tuning_state.h"
#include "gui/settings/settings.h"
#include "store/workload_families.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <QLabel>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

namespace sparsight::testing {

// Plans of several windows in the same settings.
namespace {

TuningState plan_of(const QString& model) {
    TuningState state;
    state.workspace = QStringLiteral("w");
    state.model = model;
    state.machine = QStringLiteral("m");
    state.matrices = QStringList{QStringLiteral("one")};
    return state;
}

QStringList models_of(const std::vector<TuningState>& states) {
    QStringList models;
    for (const TuningState& state : states)
        models << state.model;
    return models;
}

const QString first = QStringLiteral("first");
const QString second = QStringLiteral("second");

class TuningStatesTest : public ::testing::Test {
protected:
    [[nodiscard]] QString file() const { return QString::fromStdString((folder_ / "settings.ini").string()); }

    TemporaryFolder folder_;
    UserSettings settings_{file()};
    UserSettings others_settings_{file()};
    TuningStates window_{settings_};
    TuningStates other_window_{others_settings_};
};

TEST_F(TuningStatesTest, NeitherOfTwoWindowsErasesThePlansOfTheOther) {
    window_.all().push_back(plan_of(first));
    window_.keep();
    other_window_.all().push_back(plan_of(second)); // which has read nothing since
    other_window_.keep();
    EXPECT_EQ(models_of(other_window_.all()), (QStringList{first, second}));
    window_.refresh();
    EXPECT_EQ(models_of(window_.all()), (QStringList{first, second}));
    UserSettings later(file());
    EXPECT_EQ(models_of(TuningStates(later).all()), (QStringList{first, second}));
}

TEST_F(TuningStatesTest, WhatAnotherWindowChangedStaysAsItChangedIt) {
    window_.all() = {plan_of(first), plan_of(second)};
    window_.keep();
    other_window_.refresh();
    other_window_.all().front().matrices << QStringLiteral("two");
    other_window_.keep();
    window_.all().back().outcome = QStringLiteral("made");
    window_.keep();
    EXPECT_EQ(window_.all().front().matrices.size(), 2);
    EXPECT_EQ(window_.all().back().outcome, QStringLiteral("made"));
}

TEST_F(TuningStatesTest, WhatOneWindowRemovedIsGoneInBoth) {
    window_.all() = {plan_of(first), plan_of(second)};
    window_.keep();
    other_window_.refresh();
    window_.all().erase(window_.all().begin());
    window_.keep();
    other_window_.keep();
    EXPECT_EQ(models_of(other_window_.all()), QStringList{second});
}

TEST_F(TuningStatesTest, AskingAgainForgetsNothingThatWasNotKeptYet) {
    window_.all().push_back(plan_of(first));
    window_.refresh();
    EXPECT_EQ(models_of(window_.all()), QStringList{first});
}

TEST(TuningStatesForgetting, TheOldestGoesUnlessAJobWorksForIt) {
    std::vector<TuningState> states{plan_of(first), plan_of(second), plan_of(QStringLiteral("third"))};
    states.front().tuning = JobId::createUuid();
    forget_old_states(states, 2);
    EXPECT_EQ(models_of(states), (QStringList{first, QStringLiteral("third")}));
    states.back().measuring = {JobId::createUuid()};
    forget_old_states(states, 1);
    EXPECT_EQ(states.size(), 2U) << "both are worked for";
    states.front() = {};
    forget_old_states(states, 1);
    EXPECT_EQ(states.size(), 1U) << "nobody misses an empty one";
}

} // namespace

// What is said of a model before and after it has learned from its failures.
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

SparseFailures failures_of_both() {
    SparseFailures read;
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
        failure.workload = matrix;
        failure.signs.push_back({.kind = costs ? FailureKind::SlowerThanBaseline : FailureKind::MisRanked,
                                 .held_against = costs ? FailureAgainst::Baseline : FailureAgainst::OwnBest,
                                 .chosen = {.configuration = "a", .milliseconds = 2},
                                 .against = {.configuration = "b", .milliseconds = 1}});
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
            EvaluatedWorkload& times = evaluated.workloads.emplace_back();
            times.times = {matrix.toStdString(), 4, is_before ? 2.0 : 1.0, 0.5};
            times.turns = 5;
            times.best_configuration = is_before ? "a" : "b";
            EvaluatedCandidate& chosen = times.candidates.emplace_back();
            chosen.rank = is_before ? 3 : 1;
            chosen.configuration = times.best_configuration;
            times.best_told = ToldTime{.spread_ms = 0.25, .error_ms = {}, .raw_ms = 0.9};
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
                                      "failures of second after. Costing time: 1 before, 0 after; only "
                                      "wrong about their own choice: 0 before, 0 after."),
                            HasSubstr("other families (2 matrices): 1 failure of first before, 1 failure of "
                                      "second after. Costing time: 1 before, 0 after; only wrong about "
                                      "their own choice: 0 before, 1 after."),
                            HasSubstr("Failing anew: network.")));
}

TEST(TuningComparison, TellsOfEachMatrixWhatWasChosenBeforeAndAfterThoseThatWereLearnedFromFirst) {
    TuningState state = tuned_state();
    state.learned = QStringList{QStringLiteral("learned")};
    const SparseFailures read = failures_of_both();
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
    outcome.after = {QStringLiteral("b"), 1.4, 0.5};
    EXPECT_FALSE(outcome.differs());
    outcome.after.ms = 0.9;
    EXPECT_TRUE(outcome.differs());
    outcome.after.schedule = outcome.before.schedule;
    EXPECT_FALSE(outcome.differs()) << "the same schedule, whose time other turns told";
}

TEST(TuningOutcome, DiffersByTheIntervalOfItsRatioWhereTurnsTimedIt) {
    TuningOutcome outcome;
    outcome.before = {QStringLiteral("a"), 2, 0.5};
    outcome.after = {QStringLiteral("b"), 1.9, 0.5};
    outcome.turn_ratio = 0.95;
    outcome.turn_margin = 0.01;
    EXPECT_TRUE(outcome.differs()) << "what slows a whole turn down is in the spreads, not in the ratio";
    outcome.turn_margin = 0.1;
    EXPECT_FALSE(outcome.differs());
}

TEST(TuningComparison, ComparesBeforeAndAfterTurnByTurn) {
    TuningState state = tuned_state();
    state.learned = QStringList{QStringLiteral("learned")};
    SparseFailures read = failures_of_both();
    EXPECT_EQ(compare_tuning(state, read)->outcomes.front().turn_ratio, std::nullopt) << "no turn is known";
    for (EvaluatedModel& model : read.evaluation.models)
        for (EvaluatedWorkload& times : model.workloads) {
            // The second turn is a slow one for both; after takes nine tenths of before in each.
            const double factor = model.name == "first" ? 1 : 0.9;
            times.best_told->turn_ratios = {0.5 * factor, 0.9 * factor, 0.5 * factor, 0.51 * factor,
                                            0.5 * factor};
        }
    const TuningOutcome outcome = compare_tuning(state, read)->outcomes.front();
    ASSERT_TRUE(outcome.turn_ratio && outcome.turn_margin);
    EXPECT_NEAR(*outcome.turn_ratio, 0.9, 1e-9);
    EXPECT_NEAR(*outcome.turn_margin, 0, 1e-6);
    EXPECT_TRUE(outcome.differs());
}

TEST(BeforeAfterView, NamesBothSchedulesTogetherSoThatTheyDifferInName) {
    TuningState state = tuned_state();
    TuningOutcome outcome;
    outcome.matrix = QStringLiteral("m");
    outcome.before = {QStringLiteral("4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8"), 2};
    outcome.after = {QStringLiteral("4 1 1 i1 k1 i0 k0 j1 j0 0 1 0 1 i1 2 8"), 1};
    state.comparison = TuningComparison{};
    state.comparison->outcomes = {outcome};
    BeforeAfterView view;
    view.show_outcomes(state, outcome.matrix);
    EXPECT_EQ(view.findChild<QLabel*>(QStringLiteral("before-after-choices"))->text().toStdString(),
              "It chose 4-row blocks, chunk 8 before, and 4-row blocks, chunk 8, i1 packed after.");
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
    SparseFailures one = failures_of_both();
    one.setting.models.removeLast();
    EXPECT_FALSE(compare_tuning(tuned_state(), one));
    SparseFailures elsewhere = failures_of_both();
    elsewhere.setting.machine = QStringLiteral("other");
    EXPECT_FALSE(compare_tuning(tuned_state(), elsewhere));
}

TEST(TuningComparison, AnEvaluationInAnotherSettingIsNone) {
    SparseFailures wider = failures_of_both();
    wider.setting.dense = 2 * tuned_state().dense;
    EXPECT_FALSE(compare_tuning(tuned_state(), wider));
    SparseFailures further = failures_of_both();
    further.setting.k = tuned_state().k + 1;
    EXPECT_FALSE(compare_tuning(tuned_state(), further));
}

TEST(TuningComparison, CountsNothingButWhatThePlanHeldOut) {
    SparseFailures read = failures_of_both();
    read.setting.matrices << QStringLiteral("block_16x16_3") << QStringLiteral("stranger");
    const auto comparison = compare_tuning(tuned_state(), read);
    ASSERT_TRUE(comparison);
    EXPECT_EQ(comparison->family.matrices + comparison->elsewhere.matrices, 3);
    read.setting.matrices = QStringList{QStringLiteral("stranger")};
    EXPECT_FALSE(compare_tuning(tuned_state(), read)) << "nothing of it was held out";
}

TEST(TuningComparison, NeitherAnOlderEvaluationNorOneOfFewerMatricesReplacesIt) {
    TuningState state = tuned_state();
    SparseFailures read = failures_of_both();
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
    state.outcome = QStringLiteral("pairs in the right order: 60 % → 80 %");
    state.learned = QStringList{QStringLiteral("learned")};
    state.comparison = TuningComparison{7, {9, 8, 1, 8, 0}, {81, 25, 17, 16, 5}, {QStringLiteral("memplus")}};
    state.comparison->outcomes.push_back({QStringLiteral("learned"),
                                          {QStringLiteral("a"), 2, 0.25, 3},
                                          {QStringLiteral("b"), 1, std::nullopt, std::nullopt},
                                          4,
                                          0.5,
                                          5,
                                          0.5,
                                          0.02});
    EXPECT_EQ(parse_tuning_states(tuning_states_json({state, tuned_state()})),
              (std::vector{state, tuned_state()}));
}

TEST(TuningState, WhatIsNoneIsLeftOut) {
    EXPECT_TRUE(parse_tuning_states("").empty());
    EXPECT_TRUE(parse_tuning_states("[1, {}, {\"workspace\": \"w\"}]").empty());
}

} // namespace

// What is left to compare a model on before and after it has learned.
namespace {

const Domain& sparse() {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return *domain;
}

FailureSetting setting_of_blocks(Workspace& workspace) {
    FailureSetting setting;
    setting.families = {{QStringLiteral("block"), PatternFamily::Blocked},
                        {QStringLiteral("block_t"), PatternFamily::Blocked},
                        {QStringLiteral("block_16x16_3"), PatternFamily::Blocked},
                        {QStringLiteral("brick"), PatternFamily::Blocked},
                        {QStringLiteral("renamed"), PatternFamily::Blocked},
                        {QStringLiteral("band"), PatternFamily::Banded}};
    for (const auto& [matrix, family] : setting.families) {
        setting.matrices << matrix;
        if (matrix != QStringLiteral("renamed") && matrix != QStringLiteral("block")) {
            EXPECT_TRUE(add_matrix_name(workspace, matrix.toStdString(), "generated"));
        }
    }
    const auto pattern = generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", 0.1}}, 1);
    for (const char* name : {"block", "renamed"})
        EXPECT_TRUE(add_matrix(workspace, {name, "generated", {}}, pattern.value()));
    auto forms = WorkloadFamilies::read(workspace, sparse());
    EXPECT_TRUE(forms);
    setting.forms = std::make_shared<const WorkloadFamilies>(*std::move(forms));
    return setting;
}

TEST(TuningHeldOut, OtherFormsOfWhatIsLearnedFromAreNotHeldOut) {
    // "renamed" is equal to block, of which the one that is learned from is a resized form.
    const TemporaryFolder folder;
    Workspace workspace = Workspace::create(folder / "w.sparsight", "test").value();
    const HeldOutMatrices held_out = held_out_of(
        setting_of_blocks(workspace), {QStringLiteral("block_16x16_3")}, {QStringLiteral("blocked")});
    EXPECT_EQ(held_out.all, (QStringList{QStringLiteral("band"), QStringLiteral("brick")}));
    EXPECT_EQ(held_out.family, QStringList{QStringLiteral("brick")});
}

TEST(TuningHeldOut, AModelKnowsWhatThoseItWasMadeFromHaveLearned) {
    KnownModel grandparent;
    grandparent.id = ModelId{1};
    grandparent.name = QStringLiteral("grandparent");
    grandparent.workloads = QStringList{QStringLiteral("brick")};
    KnownModel parent = grandparent;
    parent.id = ModelId{2};
    parent.name = QStringLiteral("parent");
    parent.parent = ModelId{1};
    parent.workloads = QStringList{QStringLiteral("band")};
    KnownModel stranger = grandparent;
    stranger.id = ModelId{3};
    stranger.name = QStringLiteral("stranger");
    stranger.workloads = QStringList{QStringLiteral("other")};
    const std::vector models{grandparent, parent, stranger};
    EXPECT_EQ(learned_by(models, QStringLiteral("parent")),
              (QStringList{QStringLiteral("band"), QStringLiteral("brick")}));
    EXPECT_TRUE(learned_by(models, QStringLiteral("nobody")).isEmpty());
}

TEST(TuningHeldOut, AModelThatDescendsFromItselfIsReadOnce) {
    KnownModel model;
    model.id = ModelId{1};
    model.name = QStringLiteral("loop");
    model.parent = ModelId{1};
    model.workloads = QStringList{QStringLiteral("band")};
    EXPECT_EQ(learned_by({model}, model.name), QStringList{QStringLiteral("band")});
}

} // namespace
} // namespace sparsight::testing
