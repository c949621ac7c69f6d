// A table of choices that others recorded, on the page, with and without patterns.
#include "failures_fixture.h"
#include "gui/comparison/comparison_dialog.h"
#include "gui/failures/case_view.h"
#include "gui/failures/decision_section.h"
#include "gui/failures/mechanism_section.h"
#include "support/shared_data.h"
#include "widgets/chart/waterfall_chart.h"
#include "widgets/table/data_table.h"

#include <QAction>
#include <QLabel>

namespace sparsight::testing {
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
    EXPECT_EQ(now.matrix, QString()) << "it would be told for the case’s own";
    EXPECT_EQ(now.model, QString());
    EXPECT_EQ(now.schedule.toStdString(), page().study().failure()->main().chosen.schedule);
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
    program_->selection().select_matrix(QStringLiteral("m0"));
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
    EXPECT_LE(page().read()->stories.size(), 9);
    EXPECT_GT(page().read()->setting.matrices.size(), 1000);
    window().resize(1280, 800);
    QTest::qWait(300);
}

} // namespace
} // namespace sparsight::testing
