// The Schedules page in the real window: what measuring may touch, and what it may not.
#include "window_fixture.h"

#include "gui/schedules/measure_panel.h"
#include "gui/schedules/results_model.h"
#include "gui/schedules/schedule_details.h"
#include "gui/schedules/schedules_page.h"
#include "store/measurements.h"
#include "widgets/schedule/loop_chip_row.h"
#include "widgets/schedule/schedule_editor.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QTabWidget>

namespace sparsight::testing {
namespace {

class SchedulesPageTest : public WindowTest {
protected:
    SchedulesPageTest() { open_workspace_on(QStringLiteral("schedules")); }

    [[nodiscard]] SchedulesPage& page() { return *window().findChild<SchedulesPage*>(); }
    [[nodiscard]] ScheduleEditor& editor() { return *page().findChild<ScheduleEditor*>(); }
    [[nodiscard]] QAbstractItemModel& results() { return *page().findChild<DataTable*>()->model(); }

    void choose_schedule() {
        program_->selection().select_schedule(QStringLiteral("spmm"),
                                              QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
        ASSERT_TRUE(wait_until([&] { return editor().draft().indices.size() == 3; }));
    }
    void flip_the_rows() { Q_EMIT editor().loops()->format_flipped(QStringLiteral("i1")); }
    void measure_the_draft() {
        page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(&editor());
        click(editor().findChild<QPushButton*>());
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && results().rowCount() == 2; }, 120));
    }
    /// As if another program had measured a schedule that wins by far.
    void record_a_winner() {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        MeasurementSetting setting;
        setting.matrix = program_->session().matrix(QStringLiteral("banded"))->id;
        setting.machine = program_->session().machine(program_->session().this_machine())->id;
        setting.dense = page().measure_panel().dense();
        setting.protocol = name(page().measure_panel().request().protocol);
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1e-6);
        SuperSchedule winner = fixed_csr(Operator::SpMM, page().measure_panel().request().threads);
        winner.chunk = 8;
        ASSERT_TRUE(record_measurement(*workspace, setting, winner, measurement));
        program_->session().refresh();
        ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    }
};

TEST_F(SchedulesPageTest, TheEditsOfADraftCanBeUndoneAfterItWasMeasured) {
    choose_schedule();
    const ScheduleDraft chosen = editor().draft();
    flip_the_rows();
    const ScheduleDraft edited = editor().draft();
    ASSERT_NE(edited, chosen);
    measure_the_draft();
    EXPECT_EQ(editor().draft(), edited);
    editor().undo_action()->trigger();
    EXPECT_EQ(editor().draft(), chosen);
    editor().redo_action()->trigger();
    EXPECT_EQ(editor().draft(), edited);
}

TEST_F(SchedulesPageTest, ABetterResultTakesThePlaceOfTheBestButNotOfADraft) {
    choose_schedule();
    measure_the_draft();
    program_->selection().select_schedule(QStringLiteral("spmv"), {});
    program_->selection().select_schedule(QStringLiteral("spmm"), {});
    ASSERT_TRUE(wait_until([&] { return !editor().draft().op.isEmpty(); })) << "the best of them";
    flip_the_rows();
    const ScheduleDraft edited = editor().draft();
    record_a_winner();
    EXPECT_EQ(editor().draft(), edited);
    EXPECT_TRUE(editor().undo_action()->isEnabled());
}

TEST_F(SchedulesPageTest, WithoutAScheduleThereIsNothingToEdit) {
    choose_schedule();
    program_->selection().select_schedule(QStringLiteral("spmv"), {});
    EXPECT_TRUE(editor().draft().op.isEmpty());
}

TEST_F(SchedulesPageTest, OpensOnTheBestOfWhatWasMeasuredBefore) {
    choose_schedule();
    measure_the_draft();
    window().show_page(QStringLiteral("matrices"));
    program_->selection().select_schedule(QStringLiteral("spmv"), {});
    program_->selection().select_schedule(QStringLiteral("spmm"), {});
    ASSERT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 2; }));
    EXPECT_TRUE(program_->selection().current().schedule.isEmpty()) << "nobody looks at it";
    window().show_page(QStringLiteral("schedules"));
    EXPECT_FALSE(program_->selection().current().schedule.isEmpty());
}

TEST_F(SchedulesPageTest, TellsWhereAnExportedTableWentAndWhyItCouldNotBeWritten) {
    choose_schedule();
    measure_the_draft();
    auto& table = *page().findChild<DataTable*>();
    const auto save_as = [&](const QString& file) {
        table.export_csv();
        auto* dialog = table.findChild<QFileDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->selectFile(file);
        QMetaObject::invokeMethod(dialog, "accept");
    };
    save_as(path("ranking.csv"));
    ASSERT_TRUE(wait_until([&] { return QFile::exists(path("ranking.csv")); }));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                ::testing::HasSubstr("ranking.csv"));
    QFile written(path("ranking.csv"));
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_THAT(written.readAll().toStdString(),
                ::testing::StartsWith("Rank,speedup_over_fixed_csr,median_ms,Schedule,bytes,Status\r\n1,"));
    Q_EMIT table.export_failed(QStringLiteral("the disk is full"));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                ::testing::HasSubstr("the disk is full"));
}

TEST_F(SchedulesPageTest, TheWholeRankingIsInSightInASmallWindow) {
    window().resize(1280, 800);
    choose_schedule();
    measure_the_draft();
    const TableView& view = *page().findChild<DataTable*>()->view();
    ASSERT_TRUE(wait_until([&] { return view.horizontalHeader()->length() <= view.viewport()->width(); }));
    for (const int column : {ResultsModel::Rank, ResultsModel::Speedup, ResultsModel::Time,
                             ResultsModel::Schedule, ResultsModel::Storage, ResultsModel::Status}) {
        EXPECT_FALSE(view.isColumnHidden(column));
        EXPECT_GE(view.columnWidth(column), column == ResultsModel::Schedule ? 100 : 50) << column;
    }
}

} // namespace
} // namespace sparsight::testing
