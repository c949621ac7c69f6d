#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "failures_fixture.h"
#include "gui/domains/sparse/comparison/comparison_dialog.h"
#include "gui/domains/sparse/failures/cases/case_sections.h"
#include "gui/domains/sparse/failures/cases/case_view.h"
#include "gui/domains/sparse/failures/cases/reasons_section.h"
#include "support/test_files.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/table/data_table.h"

#include <QAction>
#include <QFile>
#include <QLabel>

namespace sparsight::testing {

// A table of choices that others recorded, on the page, with and without patterns.
namespace {

using ::testing::HasSubstr;

TEST_F(FailuresTest, ATableThatOthersRecordedIsReadWithoutPatterns) {
    open_workspace_on(QStringLiteral("failures"));
    page().open_table(make_table());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().table().model()->rowCount() == 22; }));
    EXPECT_THAT(text("failures-headline"), HasSubstr("22 of 34 choices fail"));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>unknown</b>"));
    EXPECT_THAT(text("case-facts"), HasSubstr("line 2 of the table"));
    EXPECT_FALSE(page().view().decision().waterfall().picture().empty()) << "what the table tells";
    EXPECT_THAT(text("blame-method"), HasSubstr("no experiment"));
    EXPECT_FALSE(find<QPushButton>("ask-model")->isVisibleTo(&page()));
    EXPECT_FALSE(find<QPushButton>("add-measurements")->isEnabled());
}

TEST_F(FailuresTest, ARecordedCaseWithoutAPatternLeavesNoOtherMatrixSelected) {
    open_failures();
    program_->selection().select_model(QStringLiteral("first"));
    page().open_table(make_table());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().table().model()->rowCount() == 22; }));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>unknown</b>"));
    EXPECT_THAT(text("case-facts"), HasSubstr("not in this workspace"));
    const Selected now = program_->selection().current();
    EXPECT_EQ(now.workload, QString()) << "it would be told for the case’s own";
    EXPECT_EQ(now.model, QString());
    EXPECT_EQ(now.configuration.toStdString(), page().study().failure()->main().chosen.configuration);
}

TEST_F(FailuresTest, ARecordedTableHasNoModelThatCouldBeTuned) {
    open_failures();
    click(find<QPushButton>("add-measurements"));
    ASSERT_TRUE(find<QPushButton>("tune-again")->isEnabled());
    page().open_table(make_table());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().table().model()->rowCount() == 22; }));
    for (const char* name : {"add-measurements", "tune-again"}) {
        EXPECT_FALSE(find<QPushButton>(name)->isEnabled()) << name;
        EXPECT_THAT(find<QPushButton>(name)->toolTip().toStdString(), HasSubstr("no model in a table"))
            << name;
    }
    EXPECT_EQ(text("waiting-for-tuning"), "") << "that belongs to the model of the evaluation";
}

TEST_F(FailuresTest, RecordedSchedulesAreComparedWithoutAPatternAsFarAsItGoes) {
    open_workspace_on(QStringLiteral("failures"));
    page().open_table(make_table());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().table().model()->rowCount() == 22; }));
    auto* const compare = page().findChild<QAction*>(QStringLiteral("compare-case"));
    ASSERT_TRUE(compare->isEnabled()) << compare->toolTip().toStdString();
    compare->trigger();
    auto* const dialog = window().findChild<ComparisonDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(wait_until([&] { return dialog->is_settled(); }));
    const std::string told =
        dialog->findChild<QLabel*>(QStringLiteral("compared-blame"))->text().toStdString();
    EXPECT_THAT(told, HasSubstr("The pattern of unknown is not known"));
    EXPECT_THAT(told, HasSubstr("split of i: not split → 16"));
    EXPECT_EQ(dialog->view().terms().model()->rowCount(), 0) << "nothing can be simulated";
}

TEST_F(FailuresTest, MatricesOfATableThatTheWorkspaceKnowsAreExplainedInFull) {
    open_failures();
    page().open_table(make_table());
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().table().model()->rowCount() == 22; }));
    program_->selection().select_workload(QStringLiteral("m0"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().study().shown() != nullptr; }));
    EXPECT_THAT(text("case-headline"), HasSubstr("<b>m0</b>"));
    EXPECT_GT(page().view().mechanism().terms().model()->rowCount(), 9);
}

TEST_F(FailuresTest, ATableThatIsNoneIsToldAndWhatWasThereStays) {
    open_failures();
    std::ofstream(path("bad.csv").toStdString()) << "a,b\n1,2\n";
    page().open_table(path("bad.csv"));
    EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_THAT(window().notices().texts().join(u'\n').toStdString(), HasSubstr("bad.csv"));
    EXPECT_EQ(page().table().model()->rowCount(), 3);
}

TEST_F(FailuresTest, ThePublishedTableOfTheOriginalIsToldAsAFewStories) {
    SPARSIGHT_NEEDS_SHARED("waco/collected-32-threads/best_vs_csr.csv");
    open_workspace_on(QStringLiteral("failures"));
    page().open_table(
        QString::fromStdString(shared_path("waco/collected-32-threads/best_vs_csr.csv").string()));
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && page().read()->cases.size() > 10; }, 60));
    EXPECT_LE(page().read()->groups.size(), 9);
    EXPECT_GT(page().read()->setting.matrices.size(), 1000);
    window().resize(1280, 800);
    QTest::qWait(300);
}

} // namespace

// What a model is asked of a case, and that its answer stays.
namespace {

using ::testing::AllOf;

TEST_F(FailuresTest, TheModelIsAskedInTheBackgroundAndItsAnswerStays) {
    open_failures();
    ModelReasons reasons;
    reasons.model = "first";
    reasons.matrix = "m2";
    reasons.schedule = reasons.against = to_text(exploding());
    reasons.op = "spmm";
    reasons.architecture = "statistics";
    reasons.against_score = 1;
    reasons.times = {2, 1, TimeOrigin::Simulated};
    SensitivityCurve chunk{.kind = VariedKind::Decision, .key = "chunk", .title = "chunk"};
    for (const double number : {1.0, 8.0, 64.0})
        chunk.points.push_back({.value = fmt::format("{}", number),
                                .number = number,
                                .is_present = number == 8,
                                .margin = number,
                                .times = {number, 8, TimeOrigin::Simulated}});
    compare_curves(chunk);
    SensitivityCurve cores{.kind = VariedKind::Machine, .key = "cores", .title = "cores"};
    cores.points = chunk.points;
    compare_curves(cores);
    reasons.sensitivity = SensitivityReason{{chunk, cores}};
    reasons.uncertainty = UncertaintyReason{.method = "scale", .confidence = 0.9, .checked_pairs = 40};
    reasons.uncertainty->bins = {{0.5, 1, 0.8, {0.6, 0.4, 0.8, 40}}};
    auto end = model_reasons_json(reasons);
    end["event"] = "end";
    end["complete"] = true;
    use_worker("echo '{\"event\":\"progress\",\"stage\":\"anchors\",\"done\":1,\"total\":5}'\nsleep 0.3\n"
               "cat <<'END'\n" +
               end.dump() + "\nEND\n");
    auto* const ask = find<QPushButton>("ask-model");
    click(ask);
    EXPECT_TRUE(wait_until([&] { return !ask->isEnabled(); }));
    EXPECT_THAT(ask->toolTip().toStdString(), HasSubstr("being asked"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    const Job job = program_->jobs().jobs().front();
    EXPECT_EQ(job.kind, reasons_kind());
    EXPECT_THAT(
        job.arguments.join(u' ').toStdString(),
        AllOf(HasSubstr("--model=first"), HasSubstr("--workload=m2"), HasSubstr("--machine=recorded")));
    ASSERT_TRUE(page().study().reasons()) << "its answer is understood";
    EXPECT_THAT(text("model-reasons"), HasSubstr("it prefers the slower one"));
    const ReasonsSection& section = page().view().reasons();
    const ChartView& curve = *section.sensitivity().chart().view();
    EXPECT_TRUE(section.sensitivity().isVisibleTo(&page()));
    EXPECT_EQ(curve.content().x.title, QStringLiteral("decision: chunk"));
    QTest::keyClick(&section.sensitivity().choice(), Qt::Key_Down);
    EXPECT_EQ(curve.content().x.title, QStringLiteral("machine: cores"));
    EXPECT_THAT(section.calibration().chart().csv().toStdString(), HasSubstr("0.6"));
    for (const char* name : {"curve.png", "curve.svg", "curve.csv"}) {
        ASSERT_TRUE(section.sensitivity().chart().write(path(name))) << name;
        EXPECT_GT(QFile(path(name)).size(), 50) << name;
    }
}

TEST_F(FailuresTest, WhatWasAskedOfAPairStaysWhenSomethingFasterIsMeasured) {
    open_failures();
    CaseStudy& study = page().study();
    const FailureCase before = *study.failure();
    FailureCase after = before;
    after.signs.front().against.configuration = "4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    after.signs.front().against.milliseconds /= 2;
    const FailureSetting setting = study.setting();
    study.set_case(&after, setting);
    EXPECT_EQ(study.failure()->main().against, after.main().against)
        << "nothing was measured or asked of the pair before";
    EXPECT_EQ(study.newer(), nullptr);

    study.set_case(&before, setting);
    ASSERT_EQ(study.asking_refusal().toStdString(), "");
    study.ask_model();
    ASSERT_TRUE(study.asking());
    study.set_case(&after, setting);
    EXPECT_EQ(study.failure()->main().against, before.main().against);
    ASSERT_NE(study.newer(), nullptr);
    EXPECT_THAT(text("case-newer"), HasSubstr("Measured since"));
    study.set_case(nullptr, setting);
    study.set_case(&after, setting);
    EXPECT_EQ(study.failure()->main().against, before.main().against) << "who comes back finds it again";
    study.take_newer();
    EXPECT_EQ(study.failure()->main().against, after.main().against);
    EXPECT_EQ(study.newer(), nullptr);
}

} // namespace
} // namespace sparsight::testing
