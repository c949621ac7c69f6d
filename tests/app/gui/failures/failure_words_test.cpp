#include "gui/failures/failure_words.h"

#include "gui/failures/case_rows.h"
#include "gui/failures/reason_words.h"
#include "gui/failures/saliency_marks.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

FailureCase failing(const char* matrix, double chosen_ms) {
    FailureCase failure;
    failure.matrix = matrix;
    failure.model_name = "first";
    FailureSign sign;
    sign.chosen = {"a", chosen_ms, 0.2, false, 1};
    sign.against = {"b", 1.25, 0.05};
    sign.significance = Significance::BeyondNoise;
    failure.signs = {sign};
    return failure;
}

TEST(FailureWords, AStorySaysThatTheSimulatorDoesNotSeeItAndThatAWrongOrderLosesNothing) {
    FailureStory story;
    story.ground = StoryGround::SimulationDisagrees;
    story.simulated_share = 0.02;
    story.kind = FailureKind::MisRanked;
    story.lost_share = 0.5;
    EXPECT_EQ(story_text(story).toStdString(),
              "first choice +50 % behind, nothing lost · the simulator says +2.0 % instead");
    story.kind = FailureKind::HighRegret;
    EXPECT_EQ(story_text(story).toStdString(), "loses +50 % · the simulator says +2.0 % instead");
}

TEST(FailureWords, FamiliesAreCalledAsOnTheCommandLine) {
    for (const PatternFamily family : all_pattern_families)
        EXPECT_EQ(family_text(family).toStdString(), title(family));
}

TEST(FailureWords, EveryKindFamilyAndSignificanceHasWords) {
    for (const FailureKind kind : all_failure_kinds) {
        EXPECT_FALSE(kind_text(kind).isEmpty());
        EXPECT_FALSE(kind_meaning(kind).isEmpty());
    }
    for (const PatternFamily family : all_pattern_families)
        EXPECT_FALSE(family_text(family).isEmpty());
    for (const auto significance :
         {Significance::BeyondNoise, Significance::WithinNoise, Significance::NoiseUnknown})
        EXPECT_FALSE(significance_text(significance).isEmpty());
}

TEST(FailureWords, ASignTellsBothTimesTheLossAndItsSignificance) {
    const std::string sentence = sign_sentence(failing("m", 2.5).main()).toStdString();
    EXPECT_THAT(sentence, HasSubstr("Slower than fixed CSR: 2.50 ± 0.20 ms against 1.25 ± 0.05 ms"));
    EXPECT_THAT(sentence, HasSubstr("+100 %"));
    EXPECT_THAT(sentence, HasSubstr("beyond noise"));
}

TEST(FailureWords, AStoryNamesItsDecisionAndWhatItCosts) {
    FailureStory story;
    story.decision = Decision{DecisionKind::LevelFormat, {Index::K, Part::Outer}};
    story.before = "compressed";
    story.after = "uncompressed";
    story.term = TimeTerm::FillIn;
    story.families = {{PatternFamily::Banded, 3}};
    story.lost_share = 0.41;
    EXPECT_EQ(story_title(story), QStringLiteral("Format of k1: uncompressed"));
    EXPECT_EQ(story_text(story),
              QStringLiteral("loses +41 % · against compressed · most of it fill-in · banded"));
    story.lost_ms = 2;
    EXPECT_THAT(story_text(story).toStdString(), HasSubstr("loses +41 %, 2.00 ms lost in all"));
    story.lost_ms = 0;
    story.behind_ms = 3;
    EXPECT_THAT(story_hint(story).toStdString(), HasSubstr("3.00 ms behind"));
    story.undiagnosed = "no pattern";
    EXPECT_THAT(story_hint(story).toStdString(), HasSubstr("Not diagnosed: no pattern."));
    story.decision.reset();
    EXPECT_EQ(story_title(story), QStringLiteral("Slower than fixed CSR")) << "what is not explained";
}

TEST(FailureWords, BlindSpotsAreToldWithoutAskingTheModel) {
    FailureCase failure = failing("m", 2.5);
    EXPECT_TRUE(blind_spots(failure).isEmpty());
    failure.unfamiliar = {{"row_length_gini", 0.9, 0.1, 0.4}};
    ASSERT_EQ(blind_spots(failure).size(), 1);
    EXPECT_THAT(blind_spots(failure)[0].toStdString(), HasSubstr("0.9, in training 0.1 to 0.4"));
    FailureSign confident = failure.main();
    confident.kind = FailureKind::OverConfident;
    confident.figure = 0.5;
    failure.signs.push_back(confident);
    EXPECT_THAT(blind_spots(failure).join(u' ').toStdString(), HasSubstr("50.0 %"));
}

TEST(CasesModel, CasesOfOneMatrixAndModelAreOne) {
    CasesModel model;
    const QAbstractItemModelTester tester(&model);
    model.set_rows({failing("a", 2), failing("b", 3)});
    EXPECT_EQ(model.index(1, CasesModel::LostShare).data().toString(), QStringLiteral("+140 %"));
    model.set_rows({failing("b", 3)});
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.index(0, CasesModel::Matrix).data().toString(), QStringLiteral("b"));
}

TEST(ReasonWords, ARuleIsToldWithItsPrecisionAndCoverage) {
    ModelReasons reasons;
    Anchor anchor;
    anchor.predicates = {{ReasonSubject::Pattern, "longest_row", "longest row", PredicateRelation::Above,
                          "40", 40.0, "entries"}};
    anchor.precision = {0.97, 0.95, 0.99, 400};
    anchor.coverage = {0.2, 0.18, 0.22, 400};
    reasons.anchors.emplace();
    reasons.anchors->anchor = anchor;
    const std::string sentence = reason_sentences(reasons).join(u' ').toStdString();
    EXPECT_THAT(sentence, HasSubstr("as long as longest row of the matrix above 40 entries"));
    EXPECT_THAT(sentence, HasSubstr("97.0 %"));
    EXPECT_THAT(sentence, HasSubstr("20.0 %"));
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
