#include "gui/comparison/explanation_drawing.h"

#include "app/gui/comparison/studied_pair.h"

#include "widgets/look/number_text.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const SideTitles titles{QStringLiteral("fixed CSR"), QStringLiteral("chosen")};

TEST(ExplanationDrawing, TheWaterfallLeadsFromTheOneTimeToTheOther) {
    const ShownExplanation shown = *testing::studied_pair()->explanation;
    const WaterfallPicture picture = waterfall_picture(shown, titles);
    EXPECT_TRUE(picture.hatched) << "simulated is never mistaken for measured";
    EXPECT_EQ(picture.from.label, titles.against);
    EXPECT_EQ(picture.to.value, shown.schedule.ms);
    EXPECT_EQ(picture.axis.unit, QStringLiteral("ms"));
    ASSERT_EQ(picture.steps.size(), shown.steps.size());
    EXPECT_EQ(picture.steps[0].key, shown.steps[0].decision);
    EXPECT_EQ(picture.steps[0].label, QStringLiteral("format of k1"));
    EXPECT_EQ(picture.steps[0].change, QStringLiteral("compressed → uncompressed"));
    EXPECT_NEAR(spans_of(picture).back().end, shown.schedule.ms, 1e-12);
}

TEST(ExplanationDrawing, TermsOfBothStandInTwoBars) {
    ShownExplanation shown = *testing::studied_pair()->explanation;
    EXPECT_FALSE(terms_picture(shown, titles).bars[1].marker);
    EXPECT_NEAR(terms_picture(shown, titles).bars[1].total(), shown.schedule.simulated_ms, 1e-9);
    shown.is_measured = true;
    EXPECT_EQ(terms_picture(shown, titles).bars[1].marker, shown.schedule.ms);
}

TEST(ExplanationDrawing, NamesTheDearestDecisionAndWhatGrows) {
    const ShownExplanation shown = *testing::studied_pair()->explanation;
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("format of k1 as uncompressed instead of compressed costs"));
    EXPECT_THAT(mechanism_sentence(shown, titles).toStdString(), HasSubstr("What grows most is "));
    EXPECT_THAT(blame_method(shown).toStdString(), HasSubstr("Exact Shapley values"));
}

TEST(ExplanationDrawing, SaysOfWhichDifferenceADecisionHasItsShare) {
    ShownExplanation shown = *testing::studied_pair()->explanation;
    shown.steps.front().ms = 0.5 * shown.difference_ms();
    const std::string difference = duration_text(shown.difference_ms()).toStdString();
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("of the simulated difference of " + difference));
    shown.is_measured = true;
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("of the measured difference of " + difference));
}

TEST(ExplanationDrawing, SaysHowFarTheSimulationIsFromTheClock) {
    ShownExplanation shown;
    shown.against.ms = 4;
    shown.schedule.ms = 6;
    EXPECT_EQ(simulation_distance(shown, 2, 1).toStdString(),
              "Simulated, they take 4.00 ms and 6.00 ms: 2.00 and 6.00 times the known 2.00 ms and 1.00 ms.");
}

TEST(ExplanationDrawing, SaysWhenTheSimulatorDoesNotSeeIt) {
    ShownExplanation shown = *testing::studied_pair()->explanation;
    shown.simulation_agrees = false;
    shown.is_measured = true;
    EXPECT_THAT(mechanism_sentence(shown, titles).toStdString(), HasSubstr("The simulator does not see it"));
}

TEST(ExplanationDrawing, OfTwoThatWereButSimulatedTheFasterOneIsNoContradiction) {
    ShownExplanation shown = *testing::studied_pair()->explanation;
    std::swap(shown.against, shown.schedule);
    shown.simulation_agrees = false;
    EXPECT_THAT(mechanism_sentence(shown, titles).toStdString(),
                HasSubstr("Simulated, chosen is no slower: what shrinks most is "));
}

TEST(ExplanationDrawing, TellsWhatWouldMakeItWin) {
    const ShownExplanation shown = *testing::studied_pair()->explanation;
    ASSERT_TRUE(shown.schedule_change);
    const std::string sentence = schedule_change_sentence(shown, titles).toStdString();
    EXPECT_THAT(sentence, HasSubstr("fixed CSR"));
    ShownExplanation none = shown;
    none.schedule_change.reset();
    EXPECT_TRUE(schedule_change_sentence(none, titles).isEmpty());
    ShownExplanation other = shown;
    other.schedule_change->is_other_side = true;
    EXPECT_THAT(schedule_change_sentence(other, titles).toStdString(), HasSubstr("Nothing less than all of"));
    ShownExplanation machines = shown;
    machines.machine_changes = {{QStringLiteral("cores"), 2, 64, 1.5, 1.2}};
    ASSERT_EQ(machine_change_sentences(machines).size(), 1);
    EXPECT_THAT(machine_change_sentences(machines)[0].toStdString(), HasSubstr("64 instead of 2"));
}

TEST(ExplanationDrawing, TimesTellWhereTheyAreFrom) {
    ShownSide side;
    side.ms = 1.24;
    side.spread_ms = 0.05;
    EXPECT_THAT(time_text(side, true).toStdString(), HasSubstr("±"));
    EXPECT_THAT(time_text(side, false).toStdString(), HasSubstr("simulated"));
    side.is_at_least = true;
    EXPECT_THAT(time_text(side, true).toStdString(), HasSubstr("≥"));
}

TEST(ExplanationDrawing, WhatIsOneProgramHasNothingToBlame) {
    ShownExplanation shown = *testing::studied_pair()->explanation;
    shown.is_same_program = true;
    EXPECT_THAT(blame_sentence(shown).toStdString(), HasSubstr("one program"));
    ShownExplanation one = *testing::studied_pair()->explanation;
    one.steps.back().is_same_program = true;
    EXPECT_THAT(waterfall_picture(one, titles).steps.back().note.toStdString(),
                HasSubstr("The program stays the same"));
}

TEST(ExplanationDrawing, ADisagreementTellsBothFactors) {
    const std::string sentence =
        disagreement_sentence({1.26, 0.9}, QStringLiteral("Measured"), titles, QStringLiteral("laptop"))
            .toStdString();
    for (const char* part : {"Measured: 1.26 times as long as fixed CSR", "simulated on laptop: 0.9",
                             "disagree by a factor of 1.4"})
        EXPECT_THAT(sentence, HasSubstr(part));
}

TEST(ExplanationDrawing, TwoThatMeanTheSameHaveNothingToBlame) {
    const ShownExplanation same;
    EXPECT_THAT(blame_sentence(same).toStdString(), HasSubstr("mean the same"));
    EXPECT_THAT(blame_method(same).toStdString(), Not(HasSubstr("Shapley")));
}

TEST(ExplanationDrawing, SaysWhichChangeRemovesTheLossWithoutAWin) {
    ShownExplanation shown;
    ShownScheduleChange change;
    change.is_other_side = true;
    change.removal = {{QStringLiteral("chunk"), QStringLiteral("8192"), QStringLiteral("32")}};
    change.nearest = {{QStringLiteral("chunk"), QStringLiteral("8192"), QStringLiteral("16")}};
    change.nearest_ratio = 0.927;
    change.nearest_error = 0.09;
    shown.is_measured = true;
    shown.schedule_change = change;
    const std::string sentence = schedule_change_sentence(shown, titles).toStdString();
    EXPECT_THAT(sentence,
                HasSubstr("it is as fast as " + titles.against.toStdString() + ": that removes the loss."));
    EXPECT_THAT(sentence, HasSubstr("7.3 % faster"));
    EXPECT_THAT(sentence, HasSubstr("within the error of"));
    EXPECT_THAT(sentence, ::testing::Not(HasSubstr("Nothing less than")));
}

} // namespace
} // namespace sparsight
