#include "app/gui/domains/sparse/comparison/studied_pair.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/failures/failure_case.h"
#include "gui/domains/sparse/comparison/comparison_dialog.h"
#include "gui/domains/sparse/comparison/explanation_drawing.h"
#include "gui/domains/sparse/comparison/explanation_values.h"
#include "gui/domains/sparse/comparison/term_rows.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "widgets/look/number_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace sparsight {
namespace {

using testing::planted_subject;
using testing::studied_pair;

TEST(PairStudy, ExplainsTheDifferenceByDecisionsThatAddUpToIt) {
    const auto study = studied_pair();
    ASSERT_TRUE(study->explanation) << study->no_explanation.toStdString();
    const ExplanationValues& shown = *study->explanation;
    EXPECT_FALSE(shown.is_measured);
    EXPECT_GT(shown.difference_ms(), 0);
    ASSERT_GE(shown.steps.size(), 2);
    double sum = 0;
    for (const StepValues& step : shown.steps)
        sum += step.ms;
    EXPECT_NEAR(sum, shown.difference_ms(), 1e-9 * shown.schedule.ms);
    EXPECT_EQ(shown.steps[0].decision, QStringLiteral("format_k1"))
        << "all 300 columns are stored for each row";
    EXPECT_FALSE(shown.steps[0].alone.isEmpty());
    EXPECT_GT(shown.steps[0].alone_ms.value_or(0), 0);
    EXPECT_FALSE(study->pictures[0].code.isEmpty());
    EXPECT_NE(study->pictures[0].code, study->pictures[1].code);
}

TEST(PairStudy, AnExplodingFormatIsNoErrorButSaysWhyThereIsNoTime) {
    auto subject = planted_subject();
    const DomainRegistry domains = testing::only_sparse();
    const WorkspaceSession session(domains);
    // 2^20 × 2^20 values do not fit anywhere.
    const CsrPattern wide{1 << 20, 1 << 20, std::vector<std::int64_t>((1 << 20) + 1, 0), {}, {}};
    const auto study = study_pair(subject, wide, MachineRequest(session, {}), {});
    ASSERT_TRUE(study) << study.error().text();
    EXPECT_FALSE((*study)->explanation);
    EXPECT_FALSE((*study)->no_explanation.isEmpty());
}

TEST(PairStudy, StopsWhenItIsAskedTo) {
    std::stop_source stop;
    stop.request_stop();
    const DomainRegistry domains = testing::only_sparse();
    const WorkspaceSession session(domains);
    const auto pattern = generate_matrix("banded", {{"size", 300}}, 1);
    const auto study = study_pair(planted_subject(), *pattern, MachineRequest(session, {}), stop.get_token());
    ASSERT_FALSE(study);
    EXPECT_EQ(study.error().fault, Fault::Cancelled);
}

TEST(ExplanationValues, KnowsWhatIsOneProgramAndWhereTheSimulatorContradicts) {
    const auto read = [](const char* text) {
        return explanation_values(QJsonDocument::fromJson(text).object()).value_or(ExplanationValues{});
    };
    const ExplanationValues shown = read(R"({"evaluator": "measured", "against": {}, "schedule": {},
        "same_program": true, "waterfall": [{"decision": "chunk", "same_program": true}, {"decision": "order"}],
        "counterfactual": {"disagreement": {"measured_factor": 1.2, "simulated_factor": 0.8, "apart": 1.5}}})");
    EXPECT_TRUE(shown.is_same_program);
    ASSERT_EQ(shown.steps.size(), 2U);
    EXPECT_TRUE(shown.steps[0].is_same_program);
    EXPECT_FALSE(shown.steps[1].is_same_program);
    EXPECT_EQ(shown.disagreement, (Disagreement{1.2, 0.8}));
    EXPECT_FALSE(read(R"({"against": {}, "schedule": {}, "waterfall": [],
        "counterfactual": {"disagreement": null}})")
                     .disagreement);
}

TEST(ExplanationValues, IsReadFromWhatAWorkerTells) {
    const QJsonObject json = QJsonDocument::fromJson(R"({"evaluator": "measured",
        "against": {"schedule": "a", "ms": 1, "spread_ms": 0.1, "simulated_ms": 0.9,
                    "parts": {"compute": 0.5, "fill_in": 0.4}, "counted": {"cycles": 7, "instructions": null}},
        "schedule": {"schedule": "b", "ms": 4, "at_least": true},
        "exact": false, "draws": 3, "hybrids": {"all": 512, "without_time": 2},
        "waterfall": [{"decision": "chunk", "before": "32", "after": "256", "ms": 3,
                       "uncertainty_ms": 0.5, "significant": true, "alone": {"schedule": "c", "ms": 3.5}},
                      {"decision": "parallel", "ms": 0, "uncertainty_ms": null}],
        "counterfactual": {"schedule": {"schedule": "d", "decisions": [{"decision": "chunk"}], "ms": 0.9,
                                        "wins": true}, "simulation_agrees": false,
                           "machine": [{"parameter": "cores", "before": 2, "after": 64}],
                           "pattern": [{"description": "thinned"}]},
        "no_counters": null, "command": "sparsight-cli explain"})")
                                 .object();
    const auto shown = explanation_values(json);
    ASSERT_TRUE(shown);
    EXPECT_TRUE(shown->is_measured);
    EXPECT_EQ(shown->difference_ms(), 3);
    EXPECT_TRUE(shown->schedule.is_at_least);
    EXPECT_EQ(shown->against.parts[static_cast<std::size_t>(TimeTerm::FillIn)], 0.4);
    EXPECT_EQ(shown->against.counted[0], 7);
    EXPECT_EQ(shown->against.counted[1], std::nullopt) << "unknown, not zero";
    ASSERT_EQ(shown->steps.size(), 2);
    EXPECT_NEAR(*shown->steps[0].uncertainty_ms, 0.5, 1e-12) << "noise and two standard errors";
    EXPECT_EQ(shown->steps[1].uncertainty_ms, std::nullopt) << "after one draw nothing is known of it";
    EXPECT_EQ(shown->steps[1].alone_ms, std::nullopt);
    ASSERT_TRUE(shown->schedule_change);
    EXPECT_TRUE(shown->schedule_change->wins);
    EXPECT_FALSE(shown->simulation_agrees);
    EXPECT_EQ(shown->machine_changes.size(), 1);
    EXPECT_EQ(shown->pattern_changes.size(), 1);
}

TEST(ExplanationValues, KnowsWhatCameNearestWhereNothingSmallerWins) {
    const QJsonObject json = QJsonDocument::fromJson(R"({"evaluator": "measured", "against": {"ms": 1},
        "schedule": {"ms": 4}, "waterfall": [],
        "counterfactual": {"schedule": {"schedule": "a", "decisions": [], "ms": 1, "wins": false, "other_side": true,
              "nearest": {"schedule": "d", "decisions": [{"decision": "chunk", "before": "4", "after": "32"}],
                          "ratio": 1.02, "ratio_error": 0.03}},
            "pattern": [], "pattern_tried": [{"description": "the rows are ordered by length", "against_ms": 1,
              "schedule_ms": 1.5, "wins": null}, {"description": "thinned"}]}})")
                                 .object();
    const ExplanationValues shown = *explanation_values(json);
    ASSERT_TRUE(shown.schedule_change);
    EXPECT_EQ(shown.schedule_change->nearest.size(), 1U);
    EXPECT_EQ(shown.schedule_change->nearest_ratio, 1.02);
    const QString schedule = schedule_change_sentence(shown, {QStringLiteral("CSR"), QStringLiteral("B")});
    EXPECT_TRUE(schedule.startsWith(QStringLiteral("Nothing less than all of CSR would do.")))
        << schedule.toStdString();
    EXPECT_TRUE(
        schedule.endsWith(QStringLiteral("2.0\u00A0% slower than CSR, within the error of ± 3.0\u00A0%.")))
        << schedule.toStdString();
    ASSERT_EQ(shown.losing_patterns.size(), 2U);
    EXPECT_EQ(shown.losing_patterns[0].wins_measured, std::nullopt);
    EXPECT_TRUE(
        losing_pattern_sentence(shown).contains(QStringLiteral("where the rows are ordered by length")));
}

TEST(ExplanationValues, WhatIsNoneIsNothing) {
    EXPECT_FALSE(explanation_values(QJsonObject{}));
    EXPECT_FALSE(explanation_values(QJsonObject{{QStringLiteral("waterfall"), QJsonArray{}}}));
}

TEST(TermRows, TellThePartsTheirSumAndWhatIsStored) {
    const ExplanationValues shown = *studied_pair()->explanation;
    const std::vector<TermRow> rows = term_rows(shown);
    double sum = 0;
    for (std::size_t term = 0; term < time_term_count; ++term)
        sum += *rows[term].schedule;
    EXPECT_NEAR(sum, *rows[time_term_count].schedule, 1e-9);
    const auto row = [&](const char* key) {
        return *std::ranges::find(rows, QLatin1String(key), &TermRow::key);
    };
    EXPECT_EQ(*row("positions").schedule, 300 * 300);
    EXPECT_GT(*row("zeros").schedule, *row("zeros").against);
    for (const TermRow& each : rows)
        EXPECT_FALSE(each.name.isEmpty());
}

TEST(TermRows, CountersStandThereOnlyWhereSomethingWasMeasured) {
    ExplanationValues shown;
    const auto count = [&] {
        return std::ranges::count_if(term_rows(shown), [](const TermRow& row) {
            return row.key.startsWith(QStringLiteral("counter"));
        });
    };
    EXPECT_EQ(count(), 0);
    shown.is_measured = true;
    shown.no_counters = QStringLiteral("not available here: the kernel hides them");
    EXPECT_EQ(count(), shown_counters);
    TermsModel model;
    model.set_rows(term_rows(shown));
    const QModelIndex last = model.index(model.rowCount() - 1, TermsModel::Schedule);
    EXPECT_EQ(last.data().toString(), QStringLiteral("not available here"));
    EXPECT_THAT(model.index(last.row(), TermsModel::Name).data(Qt::ToolTipRole).toString().toStdString(),
                ::testing::HasSubstr("the kernel hides them"));
}

using ::testing::HasSubstr;
using ::testing::Not;

const SideTitles titles{QStringLiteral("fixed CSR"), QStringLiteral("chosen")};

TEST(ExplanationDrawing, TheWaterfallLeadsFromTheOneTimeToTheOther) {
    const ExplanationValues shown = *testing::studied_pair()->explanation;
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
    ExplanationValues shown = *testing::studied_pair()->explanation;
    EXPECT_FALSE(terms_picture(shown, titles).bars[1].marker);
    EXPECT_NEAR(terms_picture(shown, titles).bars[1].total(), shown.schedule.simulated_ms, 1e-9);
    shown.is_measured = true;
    EXPECT_EQ(terms_picture(shown, titles).bars[1].marker, shown.schedule.ms);
}

TEST(ExplanationDrawing, NamesTheMostCostlyDecisionAndWhatGrows) {
    const ExplanationValues shown = *testing::studied_pair()->explanation;
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("format of k1 as uncompressed instead of compressed costs"));
    EXPECT_THAT(mechanism_sentence(shown, titles).toStdString(), HasSubstr("What grows most is "));
    EXPECT_THAT(blame_method(shown).toStdString(), HasSubstr("Exact Shapley values"));
}

TEST(ExplanationDrawing, NamesNoDecisionThatAListOfFailuresWouldNotName) {
    ExplanationValues shown;
    shown.against.ms = 2;
    shown.schedule.ms = 4;
    shown.steps = {{.decision = QStringLiteral("split_i"),
                    .before = QStringLiteral("not split"),
                    .after = QStringLiteral("4"),
                    .ms = 1.5,
                    .factor = 1.7},
                   {.decision = QStringLiteral("chunk"),
                    .before = QStringLiteral("32"),
                    .after = QStringLiteral("8"),
                    .ms = 0.5,
                    .factor = 1.2,
                    .is_significant = true}};
    EXPECT_EQ(blame_sentence(shown).toStdString(),
              "Not diagnosed: " + no_cause_text(DiagnosisBasis::Simulated) +
                  ". All decisions together cost 2.00\u00A0ms.")
        << "the largest cost decides, as there";
    shown.is_measured = true;
    EXPECT_THAT(blame_sentence(shown).toStdString(), HasSubstr(no_cause_text(DiagnosisBasis::Measured)));
    shown.steps[0].is_significant = true;
    EXPECT_THAT(blame_sentence(shown).toStdString(), HasSubstr("The most costly decision: split of i as 4"));
    std::swap(shown.against, shown.schedule);
    for (StepValues& step : shown.steps)
        step.ms = -step.ms;
    EXPECT_THAT(blame_sentence(shown).toStdString(), HasSubstr("The largest saving: split of i as 4"));
    shown.steps[0].is_significant = false;
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("no single decision saves more than the noise of the measured times"));
}

TEST(ExplanationDrawing, SaysOfWhichDifferenceADecisionHasItsShare) {
    ExplanationValues shown = *testing::studied_pair()->explanation;
    shown.steps.front().ms = 0.5 * shown.difference_ms();
    const std::string difference = duration_text(shown.difference_ms()).toStdString();
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("of the simulated difference of " + difference));
    shown.is_measured = true;
    EXPECT_THAT(blame_sentence(shown).toStdString(),
                HasSubstr("of the measured difference of " + difference));
}

TEST(ExplanationDrawing, NamesTheLargestSavingOfAFasterScheduleAndShowsItFirst) {
    ExplanationValues shown;
    shown.against.ms = 4;
    shown.schedule.ms = 2;
    shown.steps = {{.decision = QStringLiteral("chunk"),
                    .before = QStringLiteral("32"),
                    .after = QStringLiteral("8"),
                    .ms = -0.5,
                    .is_significant = true},
                   {.decision = QStringLiteral("split_i"),
                    .before = QStringLiteral("not split"),
                    .after = QStringLiteral("4"),
                    .ms = -1.5,
                    .is_significant = true}};
    EXPECT_EQ(blame_sentence(shown).toStdString(), "The largest saving: split of i as 4 instead of none "
                                                   "saves 1.50\u00A0ms, 75.0\u00A0% of the gain of "
                                                   "2.00\u00A0ms (simulated).");
    EXPECT_EQ(waterfall_picture(shown, titles).steps.front().label, QStringLiteral("split of i"));
    shown.steps[0].ms = 1;
    shown.steps[1].ms = -3;
    EXPECT_THAT(blame_sentence(shown).toStdString(), HasSubstr("Other decisions cost some of it"));
}

TEST(ExplanationDrawing, TellsSharesThatExceedTheTimesAsFactorsThatMultiplyToTheWhole) {
    ExplanationValues shown;
    shown.against.ms = 4;
    shown.schedule.ms = 1;
    shown.is_exact = true;
    shown.steps = {{.decision = QStringLiteral("chunk"),
                    .before = QStringLiteral("32"),
                    .after = QStringLiteral("8"),
                    .ms = 25,
                    .factor = 2.5,
                    .is_significant = true},
                   {.decision = QStringLiteral("split_i"),
                    .before = QStringLiteral("not split"),
                    .after = QStringLiteral("4"),
                    .ms = -28,
                    .factor = 0.1,
                    .is_significant = true}};
    const WaterfallPicture picture = waterfall_picture(shown, titles);
    EXPECT_TRUE(picture.axis.logarithmic);
    const std::vector<WaterfallSpan> spans = spans_of(picture);
    for (const WaterfallSpan& span : spans)
        EXPECT_GT(std::min(span.begin, span.end), 0) << "no time is below nothing";
    EXPECT_DOUBLE_EQ(spans[1].end, 4 * 0.1) << "the largest saving first";
    EXPECT_DOUBLE_EQ(spans[2].end, 1);
    EXPECT_EQ(amount_text(picture, 1), QStringLiteral("×0.100"));
    EXPECT_EQ(blame_sentence(shown).toStdString(),
              "The largest saving: split of i as 4 instead of none. Its share alone makes the schedule "
              "10.0× as fast. The other decisions take some of that back: all together make it 4.00× as fast "
              "(simulated).");
    ExplanationValues nearly_lost = shown;
    nearly_lost.schedule.ms = 0.971 * shown.against.ms;
    nearly_lost.steps[0].factor = 0.971 / 0.1;
    EXPECT_THAT(
        blame_sentence(nearly_lost).toStdString(),
        HasSubstr("The other decisions take most of that back: all together make it 2.90\u00A0% faster"));
    ExplanationValues slower = shown;
    std::swap(slower.against, slower.schedule);
    for (StepValues& step : slower.steps) {
        step.ms = -step.ms;
        step.factor = 1 / step.factor;
    }
    EXPECT_EQ(blame_sentence(slower).toStdString(),
              "The most costly decision: split of i as 4 instead of none. Its share alone makes the "
              "schedule 10.0× as slow. The other decisions win some of that back: all together make it 4.00× "
              "as slow (simulated).");
    EXPECT_THAT(blame_method(shown).toStdString(), HasSubstr("also by way of slow schedules"));
    shown.steps[0].ms = 1;
    shown.steps[1].ms = -4;
    EXPECT_FALSE(waterfall_picture(shown, titles).axis.logarithmic) << "none is longer than either time";
    EXPECT_THAT(blame_method(shown).toStdString(), Not(HasSubstr("slow schedules")));
}

TEST(ExplanationDrawing, SaysHowFarTheSimulationIsFromTheClock) {
    ExplanationValues shown;
    shown.against.ms = 4;
    shown.schedule.ms = 6;
    EXPECT_EQ(simulation_distance(shown, 2, 1).toStdString(),
              "Simulated, they take 4.00\u00A0ms and 6.00\u00A0ms: 2.00 and 6.00 times the known "
              "2.00\u00A0ms and 1.00\u00A0ms.");
}

TEST(ExplanationDrawing, SaysWhenTheSimulatorDoesNotSeeIt) {
    ExplanationValues shown = *testing::studied_pair()->explanation;
    shown.simulation_agrees = false;
    shown.is_measured = true;
    EXPECT_THAT(mechanism_sentence(shown, titles).toStdString(), HasSubstr("do not trust its parts here"));
}

TEST(ExplanationDrawing, OfTwoThatWereButSimulatedTheFasterOneIsNoContradiction) {
    ExplanationValues shown = *testing::studied_pair()->explanation;
    std::swap(shown.against, shown.schedule);
    shown.simulation_agrees = false;
    EXPECT_THAT(mechanism_sentence(shown, titles).toStdString(),
                HasSubstr("Simulated, chosen is no slower: what shrinks most is "));
}

TEST(ExplanationDrawing, TellsWhatWouldMakeItWin) {
    const ExplanationValues shown = *testing::studied_pair()->explanation;
    ASSERT_TRUE(shown.schedule_change);
    const std::string sentence = schedule_change_sentence(shown, titles).toStdString();
    EXPECT_THAT(sentence, HasSubstr("fixed CSR"));
    ExplanationValues none = shown;
    none.schedule_change.reset();
    EXPECT_TRUE(schedule_change_sentence(none, titles).isEmpty());
    ExplanationValues other = shown;
    other.schedule_change->is_other_side = true;
    EXPECT_THAT(schedule_change_sentence(other, titles).toStdString(), HasSubstr("Nothing less than all of"));
    ExplanationValues machines = shown;
    machines.machine_changes = {{QStringLiteral("cores"), 2, 64, 1.5, 1.2}};
    ASSERT_EQ(machine_change_sentences(machines).size(), 1);
    EXPECT_THAT(machine_change_sentences(machines)[0].toStdString(), HasSubstr("64 instead of 2"));
}

TEST(ExplanationDrawing, TimesTellWhereTheyAreFrom) {
    SideValues side;
    side.ms = 1.24;
    side.spread_ms = 0.05;
    EXPECT_THAT(time_text(side, true).toStdString(), HasSubstr("±"));
    EXPECT_THAT(time_text(side, false).toStdString(), HasSubstr("simulated"));
    side.is_at_least = true;
    EXPECT_THAT(time_text(side, true).toStdString(), HasSubstr("≥"));
}

TEST(ExplanationDrawing, WhatIsOneProgramHasNothingToBlame) {
    ExplanationValues shown = *testing::studied_pair()->explanation;
    shown.is_same_program = true;
    EXPECT_THAT(blame_sentence(shown).toStdString(), HasSubstr("one program"));
    ExplanationValues one = *testing::studied_pair()->explanation;
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

TEST(ComparisonView, TakesNoDifferenceWithinNoiseForAContradiction) {
    const auto study = studied_pair(); // whose schedule is the slower one by far
    ComparisonView view;
    const auto told = [&](double spread_ms) {
        view.show_study(*study, titles,
                        {.known_against = {.milliseconds = 1, .spread_ms = spread_ms},
                         .known_schedule = {.milliseconds = 0.97, .spread_ms = spread_ms}});
        return view.findChild<QLabel*>(QStringLiteral("compared-blame"))->text().toStdString();
    };
    EXPECT_THAT(told(0.001), ::testing::HasSubstr("The two disagree"));
    EXPECT_THAT(told(0.96), ::testing::Not(::testing::HasSubstr("The two disagree")));
}

TEST(ExplanationDrawing, TwoThatMeanTheSameHaveNothingToBlame) {
    const ExplanationValues same;
    EXPECT_THAT(blame_sentence(same).toStdString(), HasSubstr("mean the same"));
    EXPECT_THAT(blame_method(same).toStdString(), Not(HasSubstr("Shapley")));
}

TEST(ExplanationDrawing, SaysWhichChangeRemovesTheLossWithoutAWin) {
    ExplanationValues shown;
    ScheduleChangeValues change;
    change.is_other_side = true;
    change.removal = {{QStringLiteral("chunk"), QStringLiteral("8192"), QStringLiteral("32")}};
    change.nearest = {{QStringLiteral("chunk"), QStringLiteral("8192"), QStringLiteral("16")}};
    change.nearest_ratio = 0.927;
    change.nearest_error = 0.09;
    shown.is_measured = true;
    shown.schedule_change = change;
    const std::string sentence = schedule_change_sentence(shown, titles).toStdString();
    EXPECT_THAT(sentence, HasSubstr("It is as fast as " + titles.against.toStdString() +
                                    " with chunk as 32 instead of 8192: that removes the loss."));
    EXPECT_THAT(sentence, HasSubstr("7.3\u00A0% faster"));
    EXPECT_THAT(sentence, HasSubstr("within the error of"));
    EXPECT_THAT(sentence, ::testing::Not(HasSubstr("Nothing less than")));
}

TEST(DecisionWords, EveryDecisionHasANameAndAMeaning) {
    const SuperSchedule csr = fixed_csr(Operator::SpMM, 2);
    const SuperSchedule other = *parse_schedule(Operator::SpMM, "4 8 16 k1 i1 j1 i0 k0 j0 0 0 1 0 k1 2 256");
    const auto decisions = differing_decisions(csr, other);
    ASSERT_GE(decisions.size(), 5);
    for (const ScheduleDecision& decision : decisions) {
        const QString key = QString::fromStdString(sparsight::key(decision));
        EXPECT_FALSE(decision_name(key).contains(u'_')) << key.toStdString();
        EXPECT_EQ(decision_name(key).toStdString(), name(decision)) << "the words of the command line";
        EXPECT_FALSE(decision_meaning(key).isEmpty()) << key.toStdString();
    }
}

TEST(DecisionWords, ValuesThatAreNoWordsStayAsTheyAre) {
    EXPECT_EQ(decision_change(QStringLiteral("not split"), QStringLiteral("16")),
              QStringLiteral("not split → 16"));
    EXPECT_EQ(decision_name(QStringLiteral("of_tomorrow")), QStringLiteral("of_tomorrow"));
}

} // namespace
} // namespace sparsight
