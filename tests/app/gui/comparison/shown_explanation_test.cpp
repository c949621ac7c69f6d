#include "gui/comparison/shown_explanation.h"

#include "app/gui/comparison/studied_pair.h"
#include "gui/comparison/explanation_drawing.h"
#include "gui/comparison/term_rows.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <gmock/gmock.h>
#include <numeric>

namespace sparsight {
namespace {

using testing::planted_subject;
using testing::studied_pair;

TEST(PairStudy, ExplainsTheDifferenceByDecisionsThatAddUpToIt) {
    const auto study = studied_pair();
    ASSERT_TRUE(study->explanation) << study->no_explanation.toStdString();
    const ShownExplanation& shown = *study->explanation;
    EXPECT_FALSE(shown.is_measured);
    EXPECT_GT(shown.difference_ms(), 0);
    ASSERT_GE(shown.steps.size(), 2);
    double sum = 0;
    for (const ShownStep& step : shown.steps)
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
    const WorkspaceSession session;
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
    const WorkspaceSession session;
    const auto pattern = generate_matrix("banded", {{"size", 300}}, 1);
    const auto study = study_pair(planted_subject(), *pattern, MachineRequest(session, {}), stop.get_token());
    ASSERT_FALSE(study);
    EXPECT_EQ(study.error().fault, Fault::Cancelled);
}

TEST(ShownExplanation, KnowsWhatIsOneProgramAndWhereTheSimulatorContradicts) {
    const auto read = [](const char* text) {
        return shown_explanation(QJsonDocument::fromJson(text).object()).value_or(ShownExplanation{});
    };
    const ShownExplanation shown = read(R"({"evaluator": "measured", "against": {}, "schedule": {},
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

TEST(ShownExplanation, IsReadFromWhatAWorkerTells) {
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
    const auto shown = shown_explanation(json);
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

TEST(ShownExplanation, KnowsWhatCameNearestWhereNothingSmallerWins) {
    const QJsonObject json = QJsonDocument::fromJson(R"({"evaluator": "measured", "against": {"ms": 1},
        "schedule": {"ms": 4}, "waterfall": [],
        "counterfactual": {"schedule": {"schedule": "a", "decisions": [], "ms": 1, "wins": false, "other_side": true,
              "nearest": {"schedule": "d", "decisions": [{"decision": "chunk", "before": "4", "after": "32"}],
                          "ratio": 1.02, "ratio_error": 0.03}},
            "pattern": [], "pattern_tried": [{"description": "the rows are ordered by length", "against_ms": 1,
              "schedule_ms": 1.5, "wins": null}, {"description": "thinned"}]}})")
                                 .object();
    const ShownExplanation shown = *shown_explanation(json);
    ASSERT_TRUE(shown.schedule_change);
    EXPECT_EQ(shown.schedule_change->nearest.size(), 1U);
    EXPECT_EQ(shown.schedule_change->nearest_ratio, 1.02);
    const QString schedule = schedule_change_sentence(shown, {QStringLiteral("CSR"), QStringLiteral("B")});
    EXPECT_TRUE(schedule.startsWith(QStringLiteral("Nothing less than all of CSR would do.")))
        << schedule.toStdString();
    EXPECT_TRUE(schedule.endsWith(QStringLiteral("2.0 % slower than CSR, within the error of ± 3.0 %.")))
        << schedule.toStdString();
    ASSERT_EQ(shown.losing_patterns.size(), 2U);
    EXPECT_EQ(shown.losing_patterns[0].wins_measured, std::nullopt);
    EXPECT_TRUE(
        losing_pattern_sentence(shown).contains(QStringLiteral("where the rows are ordered by length")));
}

TEST(ShownExplanation, WhatIsNoneIsNothing) {
    EXPECT_FALSE(shown_explanation(QJsonObject{}));
    EXPECT_FALSE(shown_explanation(QJsonObject{{QStringLiteral("waterfall"), QJsonArray{}}}));
}

TEST(TermRows, TellThePartsTheirSumAndWhatIsStored) {
    const ShownExplanation shown = *studied_pair()->explanation;
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
    ShownExplanation shown;
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

} // namespace
} // namespace sparsight
