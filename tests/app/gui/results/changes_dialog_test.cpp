// What changed since a run, in the whole window: opened by its button or its key, read from the workspace.
#include "app/gui/train/train_fixture.h"
#include "gui/results/change_rows.h"
#include "gui/results/changes_dialog.h"
#include "widgets/table/table_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QFile>
#include <QLabel>
#include <thread>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ChangesDialogTest : public TrainTest {
protected:
    /// The dialog is of the window, and of no page.
    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name) {
        return WindowTest::find<Widget>(name);
    }

    /// One schedule of each matrix of the workspace, once more on "laptop".
    void measure_again(int matrices, double milliseconds,
                       MeasurementStatus status = MeasurementStatus::Measured, const char* engine = "") {
        std::this_thread::sleep_for(std::chrono::milliseconds(5)); // another date
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        const auto machine = find_machine(*workspace, "laptop");
        for (int i = 0; i < matrices; ++i) {
            const auto matrix = find_matrix(*workspace, fmt::format("m{}", i));
            SuperSchedule schedule = fixed_csr(Operator::SpMM, 1);
            schedule.chunk = 16;
            Measurement measurement;
            measurement.status = status;
            measurement.engine = engine;
            measurement.median = Milliseconds(milliseconds);
            measurement.spread = Milliseconds(0.1);
            measurement.repeats = 9; // a single run has no spread
            EXPECT_TRUE(record_measurement(*workspace, {(*matrix)->id, (*machine)->id, 256, "waco"}, schedule,
                                           measurement)
                            .has_value());
        }
    }

    /// By the button of the page of results.
    ChangesDialog& open_dialog() {
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("results"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        click(find<QPushButton>("show-changes"));
        return shown_dialog();
    }
    ChangesDialog& shown_dialog() {
        auto* const dialog = find<ChangesDialog>("changes");
        EXPECT_TRUE(wait_until([&] { return dialog->isVisible() && dialog->is_settled(); }));
        return *dialog;
    }
    [[nodiscard]] static QString cell(const DataTable& table, int row, int column) {
        return table.model()->index(row, column).data().toString();
    }
};

TEST_F(ChangesDialogTest, ShowsWhatWasMeasuredAgainBesideWhatItReplaced) {
    make_measured_workspace(2); // of m0 it takes 3 ms
    measure_again(1, 3);
    measure_again(1, 6);
    ChangesDialog& dialog = open_dialog();
    const DataTable& table = dialog.table();
    QAbstractItemModelTester tester(table.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_EQ(table.model()->rowCount(), 1);
    EXPECT_EQ(cell(table, 0, ChangesModel::Workload), QStringLiteral("m0"));
    EXPECT_EQ(cell(table, 0, ChangesModel::Before), duration_text(3));
    EXPECT_EQ(cell(table, 0, ChangesModel::After), duration_text(6));
    EXPECT_EQ(cell(table, 0, ChangesModel::Change), percent_text(1));
    EXPECT_EQ(cell(table, 0, ChangesModel::Noise), QStringLiteral("beyond noise"));
    EXPECT_TRUE(table.view()->isColumnHidden(ChangesModel::Code)) << "names need the room";
    EXPECT_THAT(
        table.model()->index(0, ChangesModel::Configuration).data(Qt::ToolTipRole).toString().toStdString(),
        HasSubstr(cell(table, 0, ChangesModel::Code).toStdString()));
    EXPECT_THAT(find<QLabel>("changes-sentence")->text().toStdString(),
                HasSubstr("1 of 1 schedule changed beyond noise"));
    dialog.table().select_all();
    dialog.table().copy_selection();
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(), HasSubstr("m0"));
    const QString file = path("changes.csv");
    ASSERT_TRUE(table.write_csv(file).has_value());
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_THAT(written.readAll().toStdString(), HasSubstr("earlier_ms"));
    dialog.table().set_filter_text(QStringLiteral("m1"));
    EXPECT_TRUE(table.displayed_source_rows().empty());
}

TEST_F(ChangesDialogTest, ShowsWhatWasAbandonedWhenItWasMeasuredAgain) {
    make_measured_workspace(1); // of m0 it takes 3 ms, which stand
    measure_again(1, 12, MeasurementStatus::GaveUp);
    const DataTable& table = open_dialog().table();
    ASSERT_EQ(table.model()->rowCount(), 1);
    EXPECT_EQ(cell(table, 0, ChangesModel::Before), duration_text(3));
    EXPECT_EQ(cell(table, 0, ChangesModel::After), QStringLiteral("abandoned after ") + duration_text(12));
    EXPECT_EQ(cell(table, 0, ChangesModel::Change), QStringLiteral("> ") + percent_text(3));
    EXPECT_THAT(find<QLabel>("changes-sentence")->text().toStdString(),
                HasSubstr("1 had a time before and was abandoned now."));
}

TEST_F(ChangesDialogTest, MarksWhatAnotherVersionMeasuredBefore) {
    make_measured_workspace(1); // of m0 it takes 3 ms
    measure_again(1, 3, MeasurementStatus::Measured, "LLVM 19");
    measure_again(1, 6, MeasurementStatus::Measured, "LLVM 20");
    const DataTable& table = open_dialog().table();
    ASSERT_EQ(table.model()->rowCount(), 1);
    EXPECT_EQ(cell(table, 0, ChangesModel::Noise), QStringLiteral("other version"));
    EXPECT_FALSE(table.model()->index(0, ChangesModel::Change).data(Qt::ForegroundRole).isValid())
        << "neither slower nor faster";
    EXPECT_THAT(table.model()->index(0, ChangesModel::Noise).data(Qt::ToolTipRole).toString().toStdString(),
                HasSubstr("Before: LLVM 19. After: LLVM 20."));
    EXPECT_EQ(find<QLabel>("changes-sentence")->text(),
              QStringLiteral("1 schedule was measured by another version before, so its times are not "
                             "compared."));
    const QString file = path("changes.csv");
    ASSERT_TRUE(table.write_csv(file).has_value());
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_THAT(written.readAll().toStdString(), HasSubstr("other version"));
}

TEST_F(ChangesDialogTest, ARowLeadsToItsConfiguration) {
    make_measured_workspace(2);
    measure_again(2, 6);
    ChangesDialog& dialog = open_dialog();
    DataTable& table = dialog.table();
    ASSERT_EQ(table.model()->rowCount(), 2);
    const int row = cell(table, 0, ChangesModel::Workload) == QStringLiteral("m1") ? 0 : 1;
    EXPECT_FALSE(find<QAction>("show-changed")->isEnabled()) << "no row is chosen";
    table.select_source_row(row);
    QTest::keyClick(table.view(), Qt::Key_Return);
    const Selected selected = program_->selection().current();
    EXPECT_EQ(selected.workload, QStringLiteral("m1"));
    EXPECT_EQ(selected.machine, QStringLiteral("recorded:laptop"));
    EXPECT_FALSE(selected.configuration.isEmpty());
    EXPECT_EQ(window().current_page()->place(), PagePlace::Configurations);
    EXPECT_TRUE(dialog.isVisible()) << "others can be looked at as well";
}

TEST_F(ChangesDialogTest, SaysHowToGetSomethingWhereNothingWasMeasuredAgain) {
    make_measured_workspace(1);
    ChangesDialog& dialog = open_dialog();
    EXPECT_FALSE(dialog.table().isVisible());
    EXPECT_FALSE(find<QLabel>("changes-sentence")->isVisible());
    auto* const go = find<QPushButton>("go-measuring-again");
    EXPECT_TRUE(go->isVisible());
    QStringList told;
    for (const QLabel* const label : dialog.findChildren<QLabel*>())
        if (label->isVisible())
            told << label->text();
    EXPECT_THAT(told.join(u'\n').toStdString(), HasSubstr("Replaced times are kept"));
    click(go);
    EXPECT_EQ(window().current_page()->place(), PagePlace::Configurations);
    EXPECT_TRUE(wait_until([&] { return window().findChild<ChangesDialog*>() == nullptr; }));
}

TEST_F(ChangesDialogTest, ADateAfterAllRunsLeavesNothingAndARunBringsItBack) {
    make_measured_workspace(2);
    measure_again(2, 6);
    ChangesDialog& dialog = open_dialog();
    auto* const since = find<QComboBox>("changes-since");
    auto* const date = find<QDateTimeEdit>("changes-date");
    ASSERT_EQ(since->count(), 3) << "the time before, one run, another date";
    EXPECT_FALSE(date->isVisible());
    since->setCurrentIndex(2);
    EXPECT_TRUE(date->isVisible());
    date->setDateTime(QDateTime::currentDateTime().addDays(1));
    ASSERT_TRUE(wait_until([&] { return dialog.is_settled() && !dialog.table().isVisible(); }));
    since->setCurrentIndex(1);
    ASSERT_TRUE(wait_until([&] { return dialog.is_settled() && dialog.table().isVisible(); }));
    EXPECT_EQ(dialog.table().model()->rowCount(), 2);
}

TEST_F(ChangesDialogTest, TheKeyOpensItOnceAndNewTimesAppear) {
    make_measured_workspace(1);
    open(path("w.sparsight"));
    QTest::keyClick(&window(), Qt::Key_T, Qt::ControlModifier);
    ChangesDialog& dialog = shown_dialog();
    find<QAction>("changes")->trigger();
    EXPECT_EQ(window().findChildren<ChangesDialog*>().size(), 1);
    measure_again(1, 6);
    EXPECT_TRUE(wait_until([&] { return dialog.table().model()->rowCount() == 1; }));
    program_->session().close();
    EXPECT_TRUE(wait_until([&] { return window().findChild<ChangesDialog*>() == nullptr; }));
    EXPECT_FALSE(find<QAction>("changes")->isEnabled());
}

TEST(RepeatedRuns, AreWhatFollowedEachOtherWithinMinutesTheNewestFirst) {
    const auto runs = repeated_runs({"2026-11-24T08:00:00.000Z", "2026-11-24T08:09:00.000Z",
                                     "2026-11-24T08:18:00.000Z", "2026-11-24T09:00:00.000Z"});
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].since, QStringLiteral("2026-11-24T09:00:00.000Z"));
    EXPECT_EQ(runs[0].measurements, 1);
    EXPECT_EQ(runs[1].since, QStringLiteral("2026-11-24T08:00:00.000Z"));
    EXPECT_EQ(runs[1].measurements, 3);
}

} // namespace
} // namespace sparsight::testing
