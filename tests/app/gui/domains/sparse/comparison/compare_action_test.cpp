// Two rows of a table of schedules, in the real window.
#include "gui/domains/sparse/comparison/compare_action.h"

#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/comparison/comparison_dialog.h"
#include "machine/machine_description.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/schedule/code/schedule_comparison.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QLabel>
#include <QTabWidget>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class CompareActionTest : public WindowTest {
protected:
    /// Three schedules of "banded" recorded on a laptop, the first of them fixed CSR.
    void begin() {
        const QString file = make_workspace();
        auto workspace = Workspace::open(file.toStdString());
        const MachineDescription laptop = find_machine_preset("laptop")->machine;
        const auto machine =
            *record_machine(*workspace, laptop.name, "recorded:laptop", machine_to_text(laptop));
        MeasurementSetting setting{(*find_matrix(*workspace, "banded"))->id, machine, 256, "adaptive"};
        SuperSchedule chunked = fixed_csr(Operator::SpMM, 2);
        chunked.chunk = 256;
        const SuperSchedule exploding =
            *parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32");
        double time = 1;
        for (const SuperSchedule& schedule : {fixed_csr(Operator::SpMM, 2), chunked, exploding}) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(time++);
            measurement.spread = Milliseconds(0.05);
            measurement.repeats = 9;
            ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        }
        open(file);
        Selected selected;
        selected.page = QStringLiteral("schedules");
        selected.workload = QStringLiteral("banded");
        selected.machine = QStringLiteral("recorded:laptop");
        selected.family = QStringLiteral("spmm");
        program_->selection().select(selected);
        ASSERT_TRUE(wait_until([&] { return page_is_settled() && table().model()->rowCount() == 3; }));
    }
    DataTable& table() { return *window().current_page()->findChild<DataTable*>(); }
    QAction& action() { return *table().findChild<QAction*>(QStringLiteral("compare-schedules")); }
    void click_row(int row, Qt::KeyboardModifiers modifiers) {
        TableView* const view = table().view();
        const QModelIndex cell = view->model()->index(row, 1);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, modifiers, view->visualRect(cell).center());
    }
    ComparisonDialog* dialog() { return window().findChild<ComparisonDialog*>(); }
};

TEST_F(CompareActionTest, CtrlClickOnTwoRowsAndCompareShowsThemSideBySide) {
    begin();
    click_row(0, Qt::NoModifier);
    EXPECT_FALSE(action().isEnabled());
    EXPECT_THAT(action().toolTip().toStdString(), HasSubstr("Select two rows"));
    click_row(2, Qt::ControlModifier);
    ASSERT_TRUE(action().isEnabled()) << action().toolTip().toStdString();
    action().trigger();
    ASSERT_NE(dialog(), nullptr);
    ASSERT_TRUE(dialog()->isVisible());
    EXPECT_FALSE(dialog()->isModal());
    ASSERT_TRUE(wait_until([&] { return dialog()->is_settled(); }));
    const ScheduleComparison& both = dialog()->view().schedules();
    EXPECT_GT(both.code().differing_lines(), 0);
    EXPECT_EQ(both.findChild<QLabel*>(QStringLiteral("compared-left"))->text(), QStringLiteral("Fixed CSR"));
    EXPECT_THAT(both.findChild<QLabel*>(QStringLiteral("compared-right-time"))->text().toStdString(),
                HasSubstr("3.00\u00A0±\u00A00.05\u00A0ms"));
    EXPECT_THAT(dialog()->findChild<QLabel*>(QStringLiteral("compared-blame"))->text().toStdString(),
                HasSubstr("times the known 1.00\u00A0ms and 3.00\u00A0ms"))
        << "beside measured times it says how far off the simulated ones are";
    EXPECT_FALSE(dialog()->view().waterfall().picture().empty());
    EXPECT_EQ(both.tabs().count(), 4);
    EXPECT_EQ(dialog()->view().terms().model()->rowCount(), 15);
    dialog()->close();
    EXPECT_TRUE(wait_until([&] { return dialog() == nullptr; }));
}

TEST_F(CompareActionTest, TheShortcutDoesIt) {
    begin();
    click_row(0, Qt::NoModifier);
    click_row(1, Qt::ControlModifier);
    window().activateWindow();
    table().view()->setFocus();
    QTest::keyClick(table().view(), Qt::Key_E, Qt::ControlModifier);
    ASSERT_NE(dialog(), nullptr);
    EXPECT_TRUE(wait_until([&] { return dialog()->is_settled(); }));
}

TEST_F(CompareActionTest, SeveralRowsStaySelectedWhileTheSelectionOfTheProgramFollows) {
    begin();
    click_row(0, Qt::NoModifier);
    click_row(1, Qt::ControlModifier);
    EXPECT_EQ(table().selected_source_rows().size(), 2);
    EXPECT_FALSE(program_->selection().current().configuration.isEmpty());
    click_row(2, Qt::ControlModifier);
    EXPECT_EQ(table().selected_source_rows().size(), 3);
    EXPECT_FALSE(action().isEnabled());
}

TEST_F(CompareActionTest, ClosingTheWindowWhileItCountsIsNoTrouble) {
    begin();
    click_row(0, Qt::NoModifier);
    click_row(2, Qt::ControlModifier);
    action().trigger();
    program_.reset();
}

} // namespace
} // namespace sparsight::testing
