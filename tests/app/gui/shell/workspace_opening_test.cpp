#include "gui/domains/sparse/matrices/import_dialog.h"
#include "gui/domains/sparse/matrices/simulate_dialog.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/help/help_page.h"
#include "gui/page/page.h"
#include "gui/workspace/recording_note.h"
#include "store/machines.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/plots/region_map.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/chart/plots/walk_plot.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"
#include "widgets/table/data_table.h"
#include "window_fixture.h"

#include <QAction>
#include <QFile>
#include <QPointer>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTextBrowser>
#include <QToolButton>
#include <csignal>

namespace sparsight::testing {

// The start page and how one gets away from it and from the help.
namespace {

class BeginningTest : public WindowTest {
protected:
    /// Of the start page.
    void click_offer(const QString& word) {
        for (QPushButton* button : window().findChildren<QPushButton*>())
            if (button->isVisible() && QString(button->text()).remove(u'&').contains(word)) {
                click(button);
                return;
            }
        FAIL() << word.toStdString();
    }
    void press_back() {
        window().activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
        QTest::keyClick(window().page(QStringLiteral("help"))->findChild<QTextBrowser*>(), Qt::Key_Left,
                        Qt::AltModifier);
    }
    bool is_highlighted(const char* page) {
        return find<QToolButton>((std::string("navigate-") + page).c_str())->isChecked();
    }
};

TEST_F(BeginningTest, BackLeavesTheHelpForThePageBefore) {
    open_workspace_on(QStringLiteral("machines"));
    window().show_page(QStringLiteral("help"));
    press_back();
    EXPECT_EQ(window().current_page()->id().toStdString(), "machines");
}

TEST_F(BeginningTest, BackAfterF1LeadsAtOnceToThePageThatItWasPressedOn) {
    open_workspace_on(QStringLiteral("machines"));
    for (const char* const page : {"machines", "schedules"}) {
        window().show_page(QLatin1String(page));
        find<QAction>("help")->trigger();
        ASSERT_EQ(window().current_page()->id().toStdString(), "help");
        EXPECT_EQ(qobject_cast<HelpPage*>(window().current_page())->topic(),
                  window().page(QLatin1String(page))->help_topic());
        press_back();
        EXPECT_EQ(window().current_page()->id().toStdString(), page)
            << "past no index, and past no topic of an earlier question";
    }
}

TEST_F(BeginningTest, BackWalksThroughTheHelpThatWasReadBeforeItLeavesIt) {
    open_workspace_on(QStringLiteral("machines"));
    find<QAction>("help")->trigger();
    auto* const help = qobject_cast<HelpPage*>(window().current_page());
    ASSERT_NE(help, nullptr);
    const QString first = help->topic();
    find<QAction>("shortcuts")->trigger();
    ASSERT_NE(help->topic(), first);
    press_back();
    EXPECT_EQ(window().current_page(), help);
    EXPECT_EQ(help->topic(), first);
    press_back();
    EXPECT_EQ(window().current_page()->id().toStdString(), "machines");
}

TEST_F(BeginningTest, TheStartPageHighlightsNoPage) {
    find<QAction>("help")->trigger();
    EXPECT_TRUE(is_highlighted("help"));
    press_back();
    EXPECT_EQ(window().current_page(), nullptr);
    EXPECT_FALSE(is_highlighted("help"));
}

TEST_F(BeginningTest, NoWorkspaceIsMadeBeforeFilesAreChosen) {
    click_offer(QStringLiteral("drop matrices"));
    auto* dialog = window().findChild<ImportDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->reject();
    QCoreApplication::processEvents();
    EXPECT_FALSE(program_->session().is_open());
    EXPECT_TRUE(program_->settings().recent.get().isEmpty());
}

TEST_F(BeginningTest, SimulatingMakesAWorkspaceAndTheDialogGoes) {
    click_offer(QStringLiteral("Simulate"));
    QPointer<SimulateDialog> dialog = window().findChild<SimulateDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* plot = dialog->findChild<SparsityPlot*>();
    ASSERT_TRUE(wait_until([&] { return plot->picture_is_current(); })) << "the preview";
    EXPECT_FALSE(program_->session().is_open());
    click(dialog->findChild<QPushButton*>(QStringLiteral("add-and-go-on")));
    EXPECT_TRUE(dialog->isVisible()) << "for another one";
    ASSERT_TRUE(wait_until([&] { return program_->session().contents().workloads.size() == 1U; }));
    EXPECT_THAT(program_->session().path().toStdString(), ::testing::HasSubstr("Untitled"));
    click(dialog->findChild<QPushButton*>(QStringLiteral("add")));
    EXPECT_TRUE(dialog.isNull() || !dialog->isVisible());
    EXPECT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST(ExportNotices, TellOfWhatComesLater) {
    Page page(PagePlace::Help, QStringLiteral("x"), QStringLiteral("X"), QStringLiteral("help"));
    tell_of_exports(page);
    QSignalSpy notices(&page, &Page::notice);
    page.show();
    auto* box = new QWidget(&page);
    box->show();
    auto* table = new DataTable(box);
    table->show();
    Q_EMIT table->exported_to(QStringLiteral("rows.csv"));
    Q_EMIT table->export_failed(QStringLiteral("the disk is full"));
    ASSERT_EQ(notices.size(), 2) << "each once";
    EXPECT_THAT(notices[0][0].toString().toStdString(), ::testing::HasSubstr("rows.csv"));
    EXPECT_TRUE(notices[1][1].toBool());
}

TEST(ExportNotices, TellOfEveryKindOfPictureOnce) {
    Page page(PagePlace::Help, QStringLiteral("x"), QStringLiteral("X"), QStringLiteral("help"));
    new Chart(&page);
    new SparsityPlot(&page);
    new CoordinateTreeView(&page);
    new StorageBars(&page);
    new WalkPlot(&page);
    new StackedBars(&page);
    new RegionMap(&page);
    new WaterfallChart(&page);
    tell_of_exports(page);
    QSignalSpy notices(&page, &Page::notice);
    for (QWidget* widget : page.findChildren<QWidget*>())
        if (widget->metaObject()->indexOfSignal("exported_to(QString)") >= 0)
            QMetaObject::invokeMethod(widget, "exported_to", Q_ARG(QString, QStringLiteral("picture.svg")));
    EXPECT_EQ(notices.size(), 9) << "eight, and the menu of the chart, which could export as well";
}

} // namespace

// What others do to the open workspace and to its worker: remove, replace, add, kill.
namespace {

TEST_F(WindowTest, AKilledWorkerIsToldAndTheWindowLives) {
    open_workspace_on(QStringLiteral("schedules"));
    CollectSchedulesJob request;
    request.workspace = program_->session().path();
    request.workloads = {QStringLiteral("banded")};
    request.configurations = 20'000;
    const auto id = program_->jobs().start(request);
    ASSERT_TRUE(id.has_value());
    ASSERT_TRUE(wait_until([&] { return stored_results() >= 2; }, 120));
    program_->jobs().kill(*id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_GE(stored_results(), 2U) << "nothing is lost";
    EXPECT_TRUE(find<QPushButton>("measure")->isEnabled());
}

TEST_F(WindowTest, AWorkerThatSomethingElseKilledIsTold) {
    open_workspace_on(QStringLiteral("schedules"));
    CollectSchedulesJob request;
    request.workspace = program_->session().path();
    request.workloads = {QStringLiteral("banded")};
    request.configurations = 20'000;
    const auto id = program_->jobs().start(request);
    ASSERT_TRUE(id.has_value());
    ASSERT_TRUE(wait_until([&] { return stored_results() >= 2; }, 120));
    ::kill(static_cast<pid_t>(program_->jobs().job(*id)->worker.pid), SIGKILL);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                ::testing::HasSubstr("The worker ended unexpectedly"));
    EXPECT_GE(stored_results(), 2U) << "nothing is lost";
    EXPECT_TRUE(find<QPushButton>("measure")->isEnabled());
}

TEST_F(WindowTest, PagesSayThatTheTimesWereRecordedOnAnotherComputer) {
    const QString file = make_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        ASSERT_TRUE(recorded_machine(*workspace, "far <away>"));
    }
    open(file);
    for (const char* const page : {"matrices", "train", "finetune", "whatif"}) {
        window().show_page(QLatin1String(page));
        const auto* const note = window().current_page()->findChild<RecordingNote*>();
        ASSERT_NE(note, nullptr) << page;
        EXPECT_FALSE(note->isHidden()) << page;
        EXPECT_EQ(note->text().toStdString(), "Times recorded on far <away>, another computer.");
    }
    {
        auto workspace = Workspace::open(file.toStdString());
        ASSERT_TRUE(
            record_machine(*workspace, "here", program_->session().this_machine().toStdString(), "{}"));
    }
    program_->session().refresh();
    const auto* const note = window().current_page()->findChild<RecordingNote*>();
    EXPECT_TRUE(wait_until([&] { return note->isHidden(); })) << "this computer has times, too";
}

TEST_F(WindowTest, AFileThatVanishedIsAClearMessage) {
    const QString workspace = make_workspace();
    open(workspace);
    program_->session().close();
    ASSERT_TRUE(QFile::remove(workspace));
    window().open_files({workspace});
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    EXPECT_THAT(window().notices().texts().front().toStdString(), ::testing::HasSubstr("w.sparsight"));
    EXPECT_EQ(window().current_page(), nullptr) << "back at the start";
}

TEST_F(WindowTest, AnOpenWorkspaceThatVanishesIsSaidOnceAndComesBackByItself) {
    open_workspace_on(QStringLiteral("schedules"));
    const QString workspace = program_->session().path();
    ASSERT_TRUE(QFile::rename(workspace, path("elsewhere")));
    auto* lost = find<QWidget>("lost-workspace");
    ASSERT_TRUE(wait_until([&] { return lost->isVisible(); }));
    EXPECT_THAT(window().notices().texts(), ::testing::IsEmpty()) << "the page says it";
    QStringList offers;
    for (const QPushButton* button : lost->findChildren<QPushButton*>())
        offers << button->text().remove(QLatin1Char('&'));
    EXPECT_THAT(offers, ::testing::ElementsAre(QStringLiteral("Try again"), QStringLiteral("Open workspace…"),
                                               QStringLiteral("Recent"), QStringLiteral("Close it")));
    EXPECT_FALSE(find<QPushButton>("measure")->isEnabled());
    EXPECT_THAT(find<QPushButton>("measure")->toolTip().toStdString(), ::testing::HasSubstr("is gone"));
    for (const char* command : {"import-matrices", "simulate-matrices", "probe"})
        EXPECT_FALSE(find<QAction>(command)->isEnabled()) << command;
    click(lost->findChild<QPushButton*>());
    EXPECT_TRUE(lost->isVisible());
    ASSERT_TRUE(QFile::rename(path("elsewhere"), workspace));
    ASSERT_TRUE(wait_until([&] { return !lost->isVisible(); }));
    EXPECT_EQ(window().current_page()->id().toStdString(), "schedules");
    EXPECT_TRUE(find<QPushButton>("measure")->isEnabled());
}

TEST_F(WindowTest, AWorkspaceThatIsOpenedAgainShowsWhatWasLookedAt) {
    open_workspace_on(QStringLiteral("train"));
    program_->selection().select_workload(QStringLiteral("banded"));
    open(path("w.sparsight")); // before the window has saved anything by itself
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
    EXPECT_EQ(program_->selection().current().workload, QStringLiteral("banded"));
    EXPECT_EQ(window().current_page(), window().page(QStringLiteral("train")));
}

TEST_F(WindowTest, AnotherWorkspaceWithAMatrixOfTheSameNameIsLookedAtAnew) {
    open_workspace_on(QStringLiteral("matrices"));
    {
        auto workspace = Workspace::create(path("other.sparsight").toStdString(), "test");
        const auto pattern = generate_matrix("banded", {{"size", 77}}, 1);
        ASSERT_TRUE(add_matrix(*workspace, {"banded", "generated", {}}, *pattern).has_value());
    }
    open(path("other.sparsight"));
    auto* plot = window().page(QStringLiteral("matrices"))->findChild<SparsityPlot*>();
    ASSERT_TRUE(wait_until([&] { return plot->current_area().rows() == 77; }));
}

TEST_F(WindowTest, WhatWasMeantForAWorkspaceThatCannotBeOpenedGoesToNoOther) {
    const auto pattern = generate_matrix("arrow", {{"size", 20}}, 1);
    ASSERT_TRUE(write_matrix_market((folder_ / "a.mtx"), *pattern).has_value());
    window().open_files({path("gone.sparsight"), path("a.mtx")});
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    open_workspace_on(QStringLiteral("matrices"));
    QTest::qWait(200);
    EXPECT_TRUE(no_job_is_under_way());
    EXPECT_EQ(program_->session().contents().workloads.size(), 1U);
}

TEST_F(WindowTest, WhatTheCommandLineAddsAppearsByItself) {
    open_workspace_on(QStringLiteral("matrices"));
    auto workspace = Workspace::open(program_->session().path().toStdString());
    const auto pattern = generate_matrix("arrow", {{"size", 20}}, 1);
    ASSERT_TRUE(add_matrix(*workspace, {"from-outside", "generated", {}}, *pattern).has_value());
    ASSERT_TRUE(
        wait_until([&] { return program_->session().workload(QStringLiteral("from-outside")) != nullptr; }));
}

} // namespace
} // namespace sparsight::testing
