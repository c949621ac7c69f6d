#include "widgets/schedule/schedule_comparison.h"

#include "widgets/schedule/code_comparison.h"
#include "widgets/schedule/code_view.h"
#include "widgets/schedule/coordinate_tree_view.h"
#include "widgets/schedule/storage_bars.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

ComparedSchedule compared(const char* title, const QString& code) {
    ComparedSchedule one;
    one.title = QString::fromLatin1(title);
    one.time = QStringLiteral("1.24 ms");
    one.meaning = QStringLiteral("A is stored by rows.");
    one.code = code;
    one.storage = {one.title, {{QStringLiteral("k1"), StorageArray::Coordinates, 64, 0}}};
    return one;
}

class ScheduleComparisonTest : public ::testing::Test {
protected:
    void SetUp() override {
        view_.resize(900, 600);
        view_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
    }
    [[nodiscard]] std::string label(const char* name) {
        return view_.findChild<QLabel*>(QLatin1String(name))->text().toStdString();
    }
    ScheduleComparison view_;
};

TEST_F(ScheduleComparisonTest, ShowsBothLoopNestsAlignedAndCountsWhatDiffers) {
    view_.show_pair(
        compared("Fixed CSR", QStringLiteral("void f()\nfor (int i = 0; i < 300; ++i)\nwork;\n")),
        compared("Chosen", QStringLiteral("void f()\nfor (int i = 0; i < 75; ++i)\nfor (int k)\nwork;\n")));
    const auto& left = view_.code().left().facing_lines();
    const auto& right = view_.code().right().facing_lines();
    ASSERT_EQ(left.size(), 4);
    ASSERT_EQ(right.size(), 4);
    EXPECT_FALSE(left[0].differs);
    EXPECT_TRUE(left[1].differs);
    EXPECT_EQ(right[1].marks.size(), 1) << "75";
    EXPECT_EQ(left[2].number, 0) << "a gap beside the loop that the right has alone";
    EXPECT_EQ(left[3].number, 3) << "counted as in its own code";
    EXPECT_EQ(right[3].number, 4);
    EXPECT_EQ(view_.code().differing_lines(), 2);
    EXPECT_EQ(label("compared-left"), "Fixed CSR");
    EXPECT_EQ(label("compared-right-time"), "1.24 ms");
}

TEST_F(ScheduleComparisonTest, CopiesTheCodeWithoutGaps) {
    const QString code = QStringLiteral("a;\nb;\n");
    view_.show_pair(compared("1", code), compared("2", QStringLiteral("a;\nx = 1;\nb;\n")));
    view_.code().left().copy_all();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), code);
}

TEST_F(ScheduleComparisonTest, BothSidesScrollTogether) {
    QString code;
    for (int line = 0; line < 200; ++line)
        code += QStringLiteral("line(%1);\n").arg(line);
    view_.show_pair(compared("1", code), compared("2", code));
    view_.code().left().verticalScrollBar()->setValue(50);
    EXPECT_EQ(view_.code().right().verticalScrollBar()->value(), 50);
    view_.code().right().verticalScrollBar()->setValue(20);
    EXPECT_EQ(view_.code().left().verticalScrollBar()->value(), 20);
}

TEST_F(ScheduleComparisonTest, LeadsFromDifferenceToDifferenceAndRound) {
    QString left;
    QString right;
    for (int line = 0; line < 300; ++line) {
        left += QStringLiteral("line(%1);\n").arg(line);
        right += line == 40 || line == 41 || line == 250 ? QStringLiteral("line(%1, 7);\n").arg(line)
                                                         : QStringLiteral("line(%1);\n").arg(line);
    }
    view_.show_pair(compared("1", left), compared("2", right));
    const auto current = [&] { return view_.code().left().textCursor().blockNumber(); };
    view_.code().go_to_difference(1);
    EXPECT_EQ(current(), 40);
    view_.code().go_to_difference(1);
    EXPECT_EQ(current(), 250) << "neighbouring lines are one place";
    view_.code().go_to_difference(1);
    EXPECT_EQ(current(), 40);
    QTest::keyClick(&view_.code(), Qt::Key_F8, Qt::ShiftModifier);
    EXPECT_EQ(current(), 250);
}

TEST_F(ScheduleComparisonTest, SaysWhyAFormatHasNoStorage) {
    ComparedSchedule exploding = compared("2", QStringLiteral("a;"));
    exploding.storage_problem = QStringLiteral("64 PiB");
    exploding.storage = {};
    view_.show_pair(compared("1", QStringLiteral("a;")), exploding);
    view_.tabs().setCurrentIndex(1);
    bool is_told = false;
    for (const QLabel* each : view_.findChildren<QLabel*>())
        is_told = is_told || (each->isVisible() && each->text() == QStringLiteral("64 PiB"));
    EXPECT_TRUE(is_told);
}

TEST_F(ScheduleComparisonTest, StorageStandsInTheOrderOfBothSidesAndTheRightOneIsHeldAgainstTheLeft) {
    ComparedSchedule right = compared("2", QStringLiteral("a;"));
    right.storage.segments.front().bytes = 128;
    view_.show_pair(compared("1", QStringLiteral("a;")), right);
    const std::string said = view_.findChild<StorageBars*>()->accessibleDescription().toStdString();
    EXPECT_THAT(said, HasSubstr("2.00× 1"));
    EXPECT_LT(said.find("1: "), said.find("2: "));
}

TEST_F(ScheduleComparisonTest, FurtherTabsStandBehind) {
    view_.add_tab(new QLabel(QStringLiteral("terms")), QStringLiteral("Terms"), QStringLiteral("parts"));
    EXPECT_EQ(view_.tabs().count(), 3);
    EXPECT_THAT(view_.tabs().tabToolTip(2).toStdString(), HasSubstr("parts"));
}

} // namespace
} // namespace sparsight
