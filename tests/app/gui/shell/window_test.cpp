#include "gui/domains/sparse/matrices/simulate_dialog.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/settings/settings_dialog.h"
#include "gui/shell/screenshot.h"
#include "gui/shell/window/window_closing.h"
#include "machine/machine_description.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "widgets/look/card.h"
#include "widgets/look/number_input.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/schedule/editor/schedule_editor.h"
#include "widgets/table/data_table.h"
#include "window_fixture.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <ctime>
#include <fstream>

namespace sparsight::testing {
namespace {

/// How long the event loop was away at work, at worst: the time of this thread alone, as other programs may
/// hold it up at any time.
class LoopWatch {
public:
    LoopWatch() {
        timer_.setInterval(0);
        QObject::connect(&timer_, &QTimer::timeout, [this] {
            const double now = thread_milliseconds();
            longest_ = std::max(longest_, now - before_);
            before_ = now;
        });
        timer_.start();
    }
    [[nodiscard]] double longest_ms() const { return longest_; }

private:
    static double thread_milliseconds() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }

    QTimer timer_;
    double before_ = thread_milliseconds();
    double longest_ = 0;
};

constexpr double longest_block_ms = 100;

TEST_F(WindowTest, AFirstStartOffersWaysToBegin) {
    EXPECT_EQ(window().current_page(), nullptr);
    QStringList offers;
    for (const QPushButton* button : window().findChildren<QPushButton*>())
        if (button->isVisible())
            offers << button->text().remove(QLatin1Char('&'));
    EXPECT_THAT(offers.join(QLatin1Char('|')).toStdString(),
                ::testing::AllOf(::testing::HasSubstr("Open demo workspace"),
                                 ::testing::HasSubstr("matrices"), ::testing::HasSubstr("Simulate"),
                                 ::testing::HasSubstr("tour")));
    for (const char* adds : {"import-matrices", "simulate-matrices"})
        EXPECT_TRUE(find<QAction>(adds)->isEnabled()) << adds << ": a workspace is made for them, as here";
    const auto* link = find<QAction>("copy-link");
    EXPECT_FALSE(link->isEnabled());
    EXPECT_EQ(link->toolTip().toStdString(), "No workspace is open.") << "a disabled action says why";
}

TEST_F(WindowTest, OpensAWorkspaceAndShowsItsMatrix) {
    open_workspace_on(QStringLiteral("matrices"));
    auto* plot = window().current_page()->findChild<SparsityPlot*>();
    EXPECT_EQ(plot->current_area().rows(), 300);
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "banded");
    EXPECT_THAT(window().windowTitle().toStdString(), ::testing::HasSubstr("w"));
}

TEST_F(WindowTest, TheDemoWorkspaceHasMatricesAndModels) {
    window().open_demo();
    ASSERT_TRUE(wait_until([&] { return program_->session().is_open(); }));
    EXPECT_GE(program_->session().contents().workloads.size(), 8U);
    EXPECT_GE(program_->session().contents().models.size(), 2U);
}

TEST_F(WindowTest, ImportsMatricesAndSelectsTheFirst) {
    open_workspace_on(QStringLiteral("matrices"));
    const auto pattern = generate_matrix("arrow", {{"size", 50}}, 1);
    ASSERT_TRUE(write_matrix_market((folder_ / "added.mtx"), *pattern).has_value());
    window().open_files({path("added.mtx")});
    ASSERT_TRUE(
        wait_until([&] { return program_->selection().current().workload == QStringLiteral("added"); }));
    EXPECT_EQ(program_->session().contents().workloads.size(), 2U);
}

TEST_F(WindowTest, LivesWhileALargeMatrixIsImportedAndDrawn) {
    open_workspace_on(QStringLiteral("matrices"));
    const auto pattern = generate_matrix("power-law", {{"scale", 16}, {"edge-factor", 16}}, 1);
    ASSERT_TRUE(write_matrix_market((folder_ / "large.mtx"), *pattern).has_value());
    const LoopWatch watch;
    window().open_files({path("large.mtx")});
    ASSERT_TRUE(wait_until([&] {
        return program_->selection().current().workload == QStringLiteral("large") && page_is_settled();
    }));
    EXPECT_LT(watch.longest_ms(), longest_block_ms);
}

TEST_F(WindowTest, AMissingFileDoesNotKeepTheOthersOut) {
    open_workspace_on(QStringLiteral("matrices"));
    const auto pattern = generate_matrix("arrow", {{"size", 20}}, 1);
    ASSERT_TRUE(write_matrix_market((folder_ / "there.mtx"), *pattern).has_value());
    window().open_files({path("missing.mtx"), path("there.mtx")});
    ASSERT_TRUE(wait_until([&] { return program_->session().workload(QStringLiteral("there")) != nullptr; }));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char(' ')).toStdString(),
                ::testing::HasSubstr("missing.mtx"));
}

TEST_F(WindowTest, TellsWhichFileAndLineCouldNotBeImported) {
    open_workspace_on(QStringLiteral("matrices"));
    std::ofstream(folder_ / "bad.mtx") << "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n";
    window().open_files({path("bad.mtx")});
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char(' ')).toStdString(),
                ::testing::AllOf(::testing::HasSubstr("bad.mtx"), ::testing::HasSubstr("line 3")));
    EXPECT_EQ(program_->session().contents().workloads.size(), 1U) << "nothing that was there is lost";
}

TEST_F(WindowTest, WhatCouldNotBeSimulatedStaysInItsDialogWithTheReason) {
    SimulateDialog dialog;
    QObject::connect(&dialog, &SimulateDialog::simulate, &dialog,
                     [&] { dialog.refuse(QStringLiteral("The workspace is read-only.")); });
    dialog.show();
    for (const char* button : {"add-and-go-on", "add"}) {
        auto* push = dialog.findChild<QPushButton*>(QLatin1String(button));
        ASSERT_TRUE(wait_until([&] { return push->isEnabled(); }));
        click(push);
        EXPECT_TRUE(dialog.isVisible());
        EXPECT_EQ(dialog.findChild<QLabel*>(QStringLiteral("added"))->text(),
                  QStringLiteral("The workspace is read-only."));
    }
}

TEST_F(WindowTest, ThePreviewOfASimulatedMatrixCanBeStopped) {
    SimulateDialog dialog;
    dialog.choose_family(QStringLiteral("uniform"));
    dialog.show();
    dialog.findChild<NumberField*>(QStringLiteral("rows"))->setValue(90'000'000);
    dialog.findChild<NumberField*>(QStringLiteral("cols"))->setValue(90'000'000);
    dialog.findChild<NumberField*>(QStringLiteral("density"))->setValue(6e-9);
    auto* stop = dialog.findChild<QPushButton*>(QStringLiteral("stop-preview"));
    auto* plot = dialog.findChild<SparsityPlot*>();
    QTest::qWait(200); // the preview of this is begun
    ASSERT_TRUE(stop->isVisible());
    click(stop);
    EXPECT_FALSE(stop->isVisible());
    dialog.choose_family(QStringLiteral("banded"));
    EXPECT_TRUE(wait_until([&] { return !stop->isVisible() && plot->picture_is_current(); }));
    EXPECT_EQ(dialog.request().parameters.size(), 0U);
}

TEST_F(WindowTest, SimulatesAMatrixFromItsDialog) {
    open_workspace_on(QStringLiteral("matrices"));
    find<QAction>("simulate-matrices")->trigger();
    QDialog* dialog = nullptr;
    ASSERT_TRUE(wait_until([&] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* shown = qobject_cast<QDialog*>(widget); shown != nullptr && shown->isVisible())
                dialog = shown;
        return dialog != nullptr;
    }));
    auto* plot = dialog->findChild<SparsityPlot*>();
    ASSERT_TRUE(wait_until([&] { return plot->picture_is_current(); })) << "the preview";
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
        if (button->isDefault())
            click(button);
    ASSERT_TRUE(wait_until([&] { return program_->session().contents().workloads.size() == 2U; }));
}

TEST_F(WindowTest, MeasuresAndReadsOffTheBestSchedule) {
    open_workspace_on(QStringLiteral("schedules"));
    auto* page = qobject_cast<SchedulesPage*>(window().current_page());
    SparseSettings(program_->settings()).schedules.set(5);
    for (QSpinBox* box : page->measure_panel().findChildren<QSpinBox*>()) {
        if (box->accessibleName() == QStringLiteral("Schedules"))
            box->setValue(5);
        if (box->accessibleName() == QStringLiteral("Columns of the dense matrix"))
            box->setValue(16);
    }
    LoopWatch watch;
    click(find<QPushButton>("measure"));
    auto* table = page->findChild<DataTable*>();
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && table->model()->rowCount() >= 6; }, 120))
        << window().notices().texts().join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(table->model()->rowCount(), 6) << "five and fixed CSR";
    const auto* results = dynamic_cast<ResultsModel*>(table->model());
    ASSERT_NE(results, nullptr);
    ASSERT_TRUE(wait_until([&] {
        return program_->selection().current().configuration.toStdString() == results->row(0).row.schedule;
    })) << "the best one is selected, though fixed CSR came first";
    EXPECT_LT(watch.longest_ms(), longest_block_ms) << "the window lives while the worker measures";
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
}

TEST_F(WindowTest, StopKeepsWhatIsMeasured) {
    open_workspace_on(QStringLiteral("schedules"));
    auto* page = qobject_cast<SchedulesPage*>(window().current_page());
    for (QSpinBox* box : page->measure_panel().findChildren<QSpinBox*>())
        if (box->accessibleName() == QStringLiteral("Schedules"))
            box->setValue(20000);
    EXPECT_THAT(page->findChild<QLabel*>(QStringLiteral("job-estimate"))->text().toStdString(),
                ::testing::HasSubstr("a guess: nothing like it has run here yet"));
    click(find<QPushButton>("measure"));
    EXPECT_TRUE(no_job_is_under_way()) << "what takes so long is asked about first";
    click(find<QPushButton>("start-long-job"));
    auto* table = page->findChild<DataTable*>();
    ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() >= 3; }, 120));
    click(page->findChild<QPushButton*>(QStringLiteral("stop"))); // other pages have one, too
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_GE(stored_results(), 3U);
    EXPECT_TRUE(find<QPushButton>("measure")->isEnabled()) << "and it can go on";
}

TEST_F(WindowTest, AnEditedScheduleIsMeasuredAtOnce) {
    open_workspace_on(QStringLiteral("schedules"));
    auto* page = qobject_cast<SchedulesPage*>(window().current_page());
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    auto* editor = page->findChild<ScheduleEditor*>();
    ASSERT_TRUE(wait_until([&] { return editor->draft().indices.size() == 3; }));
    ScheduleDraft draft = editor->draft();
    set_split(draft, u'i', 8);
    Q_EMIT editor->measure_requested(draft);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && stored_results() >= 2; }, 120));
    ASSERT_TRUE(wait_until([&] { return page->findChild<DataTable*>()->model()->rowCount() == 2; }));
    EXPECT_THAT(program_->selection().current().configuration.toStdString(), ::testing::StartsWith("8 1 1"));
}

TEST_F(WindowTest, TheOperatorStaysWhenAnotherMatrixIsSelected) {
    open_workspace_on(QStringLiteral("schedules"));
    auto& fields = qobject_cast<SchedulesPage*>(window().current_page())->measure_panel().fields();
    fields.set_operator(Operator::SpMV);
    program_->selection().select_workload(QStringLiteral("another"));
    EXPECT_EQ(fields.op(), Operator::SpMV);
    EXPECT_EQ(program_->selection().current().family.toStdString(), "spmv");
}

TEST_F(WindowTest, AMachineOfUnknownSpeedIsProbedForTheFirstTimeAndOthersAgain) {
    open_workspace_on(QStringLiteral("machines"));
    ProbeOptions options;
    options.measure = false;
    auto machine = probe_this_computer(options);
    ASSERT_TRUE(machine.has_value());
    const auto record = [&] {
        bool is_written = false;
        program_->session().write(
            &program_->session(),
            [machine = *machine](Workspace& workspace) -> Result<void> {
                const auto id =
                    record_machine(workspace, machine.name, machine.fingerprint(), machine_to_text(machine));
                if (!id)
                    return std::unexpected(id.error());
                return {};
            },
            [&](const Result<void>& result) { is_written = result.has_value(); });
        return wait_until([&] { return is_written; });
    };
    ASSERT_TRUE(record());
    auto* probe = find<QAction>("probe");
    const auto title = [&] {
        QStringList texts;
        for (const QLabel* label : window().current_page()->findChildren<QLabel*>())
            texts << label->text();
        return texts.join(u' ').toStdString();
    };
    ASSERT_TRUE(wait_until([&] { return title().find("not measured yet") != std::string::npos; }));
    EXPECT_EQ(probe->text(), QStringLiteral("&Probe this computer"));
    machine->copy_bandwidth.all_threads = GigabytesPerSecond(10);
    ASSERT_TRUE(record());
    ASSERT_TRUE(wait_until([&] { return probe->text() == QStringLiteral("&Probe this computer again"); }));
    EXPECT_EQ(title().find("not measured yet"), std::string::npos);
}

TEST_F(WindowTest, ComesBackToWhatWasOpen) {
    open_workspace_on(QStringLiteral("machines"));
    window().close();
    restart();
    window().restore_session();
    ASSERT_TRUE(wait_until([&] { return program_->session().is_open(); }));
    EXPECT_EQ(window().current_page()->id().toStdString(), "machines");
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "banded");
}

TEST_F(WindowTest, TheThemeOfTheDesktopIsFollowedWhenItChanges) {
    ASSERT_EQ(program_->settings().theme.get(), ThemeChoice::System);
    apply_theme(*qApp, ThemeChoice::Dark); // as if the desktop had been dark at the start
    QEvent change(QEvent::ThemeChange);
    QApplication::sendEvent(&window(), &change);
    EXPECT_FALSE(current_theme().dark);
    program_->settings().theme.set(ThemeChoice::Dark);
    QApplication::sendEvent(&window(), &change);
    EXPECT_TRUE(current_theme().dark) << "what was chosen is no business of the desktop";
}

TEST_F(WindowTest, AThemeForThisRunSurvivesTheOpeningOfAWorkspace) {
    window().use_theme_for_this_run(ThemeChoice::Dark);
    QEvent change(QEvent::ThemeChange);
    QApplication::sendEvent(&window(), &change);
    open_workspace_on(QStringLiteral("matrices"));
    EXPECT_TRUE(current_theme().dark) << "the list of recent workspaces has changed, the theme has not";
    program_->settings().theme.set(ThemeChoice::Light);
    EXPECT_FALSE(current_theme().dark);
}

TEST_F(WindowTest, EveryPageFitsIntoASmallScreen) {
    open_workspace_on(QStringLiteral("matrices"));
    for (const QString& page : window().page_ids()) {
        window().show_page(page);
        EXPECT_LE(window().minimumSizeHint().width(), 1280) << page.toStdString();
        EXPECT_LE(window().minimumSizeHint().height(), 800) << page.toStdString();
        EXPECT_LE(window().current_page()->minimumSizeHint().width(), 900) << page.toStdString();
    }
}

TEST_F(WindowTest, LargeTypeFitsIntoASmallScreen) {
    // With names as long as they are: pages of an empty workspace are narrow.
    const QString workspace = make_workspace();
    {
        auto file = Workspace::open(workspace.toStdString());
        ProbeOptions options;
        options.measure = false;
        const auto machine = probe_this_computer(options);
        ASSERT_TRUE(machine && record_machine(*file, "Some(R) Processor(TM) 8592+ with 64 cores, 2 threads",
                                              machine->fingerprint(), machine_to_text(*machine)));
        ASSERT_TRUE(add_matrix(*file, {"a-matrix-with-a-name-of-many-words-2003-aug", "generated", {}},
                               *generate_matrix("banded", {{"size", 300}}, 1)));
    }
    open(workspace);
    const QFont usual = QApplication::font();
    find<QAction>("full-screen")->trigger();
    EXPECT_GT(QApplication::font().pointSizeF(), usual.pointSizeF());
    for (const QString& page : window().page_ids()) {
        window().show_page(page);
        ASSERT_TRUE(wait_until([&] { return page_is_settled(); })) << page.toStdString();
        QTest::qWait(20); // layouts hear of the font a turn later
        EXPECT_LE(window().minimumSizeHint().width(), 1280) << page.toStdString();
        EXPECT_LE(window().minimumSizeHint().height(), 800) << page.toStdString();
    }
    EXPECT_TRUE(wait_until([&] { return window().width() <= 1280; })) << window().width();
    find<QAction>("full-screen")->trigger();
    EXPECT_EQ(QApplication::font().pointSizeF(), usual.pointSizeF());
}

TEST_F(WindowTest, TheSameMeasurementIsNotQueuedTwice) {
    open_workspace_on(QStringLiteral("schedules"));
    auto* measure = find<QPushButton>("measure");
    click(measure);
    ASSERT_TRUE(wait_until([&] { return !measure->isEnabled() || no_job_is_under_way(); }));
    EXPECT_THAT(measure->toolTip().toStdString(), ::testing::HasSubstr("measured already"));
    for (const Job& job : program_->jobs().jobs())
        program_->jobs().stop(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(WindowTest, EachPageCanBePictured) {
    open_workspace_on(QStringLiteral("matrices"));
    const QString folder = qEnvironmentVariable("SPARSIGHT_ARTEFACTS", path("."));
    for (const QString& page : window().page_ids()) {
        const QString file = folder + QStringLiteral("/page-") + page + QStringLiteral(".png");
        const auto taken = take_screenshot(window(), page, file, std::chrono::seconds(30));
        EXPECT_TRUE(taken.has_value()) << (taken ? "" : taken.error().toStdString());
        EXPECT_GT(QImage(file).width(), 800);
    }
    EXPECT_FALSE(take_screenshot(window(), QStringLiteral("nowhere"), path("x.png"), std::chrono::seconds(1))
                     .has_value());
}

TEST_F(WindowTest, APictureTakesTheNameOfAPageAsItIsShownAndListsTheNames) {
    open_workspace_on(QStringLiteral("matrices"));
    EXPECT_EQ(window().page_named(QStringLiteral("What if")), window().page(QStringLiteral("whatif")));
    EXPECT_EQ(window().page_named(QStringLiteral("what-if")), window().page(QStringLiteral("whatif")));
    EXPECT_EQ(window().page_named(QStringLiteral("FINE-TUNE")), window().page(QStringLiteral("finetune")));
    const auto taken =
        take_screenshot(window(), QStringLiteral("What if"), path("named.png"), std::chrono::seconds(30));
    EXPECT_TRUE(taken.has_value()) << (taken ? "" : taken.error().toStdString());
    EXPECT_EQ(window().current_page(), window().page(QStringLiteral("whatif")));
    const auto refused =
        take_screenshot(window(), QStringLiteral("nowhere"), path("x.png"), std::chrono::seconds(1));
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().toStdString(),
                ::testing::AllOf(::testing::HasSubstr("What if"), ::testing::HasSubstr("Fine-tune")));
}

TEST_F(WindowTest, APictureTakesTheTabsThatTheHelpLists) {
    open_workspace_on(QStringLiteral("matrices"));
    QStringList shown;
    for (const QString& id : window().page_ids())
        if (const QStringList names = tab_names(*window().page(id)); !names.isEmpty())
            shown << QStringLiteral("%1: %2").arg(id, names.join(QStringLiteral(", ")));
    EXPECT_EQ(shown.join(u'\n').toStdString(), known_tabs);
    for (const char* const target :
         {"matrices:row-lengths", "machines:Simulation", "train:Settings compared"}) {
        const auto taken =
            take_screenshot(window(), QLatin1String(target), path("tab.png"), std::chrono::seconds(30));
        EXPECT_TRUE(taken.has_value()) << target << ": " << (taken ? "" : taken.error().toStdString());
    }
    const auto hidden = take_screenshot(window(), QStringLiteral("machines:deviations-from-simulation"),
                                        path("hidden.png"), std::chrono::seconds(30));
    ASSERT_FALSE(hidden.has_value());
    EXPECT_THAT(hidden.error().toStdString(), ::testing::HasSubstr("has nothing to show here"));
}

TEST_F(WindowTest, SearchEverythingFindsAMatrixAndGoesThere) {
    open_workspace_on(QStringLiteral("machines"));
    find<QAction>("search-everything")->trigger();
    auto* search = find<QDialog>("search-everything");
    // The action and the dialog share the name; the dialog is the child of a dialog's type.
    ASSERT_NE(search, nullptr);
    auto* field = search->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("band"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(window().current_page()->id().toStdString(), "matrices");
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "banded");
}

TEST_F(WindowTest, SearchEverythingFindsASettingAndGoesToItsField) {
    open_workspace_on(QStringLiteral("machines"));
    find<QAction>("search-everything")->trigger();
    auto* field = find<QDialog>("search-everything")->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("decimal"));
    QTest::keyClick(field, Qt::Key_Return);
    const auto* dialog = window().findChild<SettingsDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_NE(dialog->focusWidget(), nullptr);
    EXPECT_EQ(dialog->focusWidget()->objectName(), program_->settings().decimal_comma.key());
}

TEST_F(WindowTest, SearchEverythingFindsASettingByWhatCanBeChosen) {
    open_workspace_on(QStringLiteral("machines"));
    find<QAction>("search-everything")->trigger();
    auto* field = find<QDialog>("search-everything")->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("dark"));
    QTest::keyClick(field, Qt::Key_Return);
    const auto* dialog = window().findChild<SettingsDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_NE(dialog->focusWidget(), nullptr);
    EXPECT_EQ(dialog->focusWidget()->objectName(), program_->settings().theme.key());
}

TEST_F(WindowTest, EverySettingOfTheDialogCanBeFound) {
    QStringList keys;
    for (const SettingsDialog::Entry& entry : SettingsDialog(program_->settings()).entries()) {
        EXPECT_FALSE(entry.title.isEmpty()) << entry.key.toStdString();
        keys << entry.key;
    }
    for (const SettingBase* setting : program_->settings().all()) {
        const bool is_chosen = !setting->key().startsWith(QStringLiteral("session/")) ||
                               setting->key() == program_->settings().restores_session.key();
        EXPECT_EQ(keys.count(setting->key()), is_chosen ? 1 : 0) << setting->key().toStdString();
    }
    EXPECT_TRUE(keys.contains(SparseSettings(program_->settings()).schedules.key())) << "of a domain";
}

} // namespace

// A workspace that is open in two windows.
namespace {

TEST_F(WindowTest, AWorkspaceThatIsOpenTwiceIsToldInBothWindowsAndNothingIsLost) {
    using ::testing::HasSubstr;
    open_workspace_on(QStringLiteral("matrices"));
    const QString workspace = program_->session().path();
    EXPECT_FALSE(program_->session().is_open_elsewhere());
    const auto told = [](MainWindow& window) {
        return window.notices().texts().join(QLatin1Char('\n')).toStdString();
    };
    {
        ApplicationOptions options;
        options.settings_file = path("other.ini");
        options.jobs.folder = path("jobs");
        const auto other_program = make_program(options);
        Application& other = *other_program;
        other.window().open_files({workspace});
        ASSERT_TRUE(wait_until(
            [&] { return other.session().is_open_elsewhere() && program_->session().is_open_elsewhere(); }));
        for (MainWindow* window : {&window(), &other.window()}) {
            EXPECT_THAT(told(*window), HasSubstr("w is open in another window, too. Both may write"));
            EXPECT_THAT(window->findChild<QToolButton*>(QStringLiteral("workspace"))->text().toStdString(),
                        HasSubstr("open twice"));
        }
        bool is_written = false;
        other.session().write(
            &other.session(),
            [](Workspace& file) -> Result<void> {
                const auto added =
                    add_matrix(file, {"from-the-other", "generated", {}}, *generate_matrix("arrow", {}, 1));
                return added ? Result<void>() : std::unexpected(added.error());
            },
            [&](const Result<void>& result) { is_written = result.has_value(); });
        ASSERT_TRUE(wait_until([&] { return is_written; }));
        EXPECT_TRUE(wait_until(
            [&] { return program_->session().workload(QStringLiteral("from-the-other")) != nullptr; }));
    }
    EXPECT_TRUE(wait_until([&] { return !program_->session().is_open_elsewhere(); }));
    EXPECT_THAT(told(window()), HasSubstr("in this window alone again"));
}

} // namespace

// Full screen with large type (F11), in the real window.
namespace {

using TeachingViewTest = WindowTest;

TEST_F(TeachingViewTest, LeavesTheWindowAndItsPanelsAsTheyWere) {
    open_workspace_on(QStringLiteral("schedules"));
    window().resize(1300, 780);
    click(find<QToolButton>("fold-panel"));
    auto* panel = window().findChild<QDockWidget*>();
    window().resizeDocks({panel}, {200}, Qt::Horizontal);
    for (const bool is_maximized : {false, true}) {
        do { // what the desktop still had to say of the state before may undo it
            if (is_maximized)
                window().showMaximized();
            QTest::qWait(100);
        } while (window().isMaximized() != is_maximized);
        const QRect before = window().geometry();
        const int width = panel->width();
        find<QAction>("full-screen")->trigger();
        ASSERT_TRUE(window().isFullScreen());
        QTest::qWait(300); // large type needs more room, and on a small screen the panel folds
        find<QAction>("full-screen")->trigger();
        EXPECT_FALSE(window().isFullScreen());
        EXPECT_TRUE(wait_until([&] { return window().isMaximized() == is_maximized; }));
        // Maximised, its place is the desktop's.
        EXPECT_TRUE(wait_until([&] { return is_maximized || window().geometry() == before; }, 10));
        EXPECT_TRUE(wait_until([&] { return panel->width() == width; }, 10)) << panel->width();
    }
}

TEST_F(TeachingViewTest, IsNotWhatTheNextWindowBeginsWith) {
    open_workspace_on(QStringLiteral("schedules"));
    window().setGeometry(20, 30, 1210, 780);
    find<QAction>("full-screen")->trigger();
    QTest::qWait(200);
    window().close();
    EXPECT_FALSE(window().isVisible());
    find<QAction>("full-screen")->trigger(); // the type is the whole program's
    restart();
    window().restore_arrangement();
    EXPECT_FALSE(window().isFullScreen());
    EXPECT_EQ(window().size(), QSize(1210, 780));
}

TEST_F(TeachingViewTest, LargeTypeClipsNoCardOfTheSelection) {
    const QString workspace = make_workspace();
    {
        auto file = Workspace::open(workspace.toStdString());
        ProbeOptions options;
        options.measure = false;
        auto machine = probe_this_computer(options);
        ASSERT_TRUE(machine.has_value());
        machine->copy_bandwidth.all_threads.emplace(123.4);
        ASSERT_TRUE(record_machine(*file, "A(R) Processor(TM) 8592+ with 64 cores, 2 threads",
                                   machine->fingerprint(), machine_to_text(*machine)));
    }
    open(workspace);
    window().show_page(QStringLiteral("schedules"));
    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    window().resize(1300, 780);
    click(find<QToolButton>("fold-panel"));
    find<QAction>("full-screen")->trigger();
    QTest::qWait(200);
    window().resize(1800, window().minimumSizeHint().height()); // a scroll bar is needed
    QTest::qWait(50);
    const auto* area = window().findChild<QDockWidget*>()->findChild<QScrollArea*>();
    ASSERT_TRUE(area->verticalScrollBar()->isVisible());
    for (const Card* card : area->findChildren<Card*>()) {
        const int right = card->mapTo(area->viewport(), QPoint(card->width(), 0)).x();
        EXPECT_LE(right, area->viewport()->width()) << card->accessibleName().toStdString();
    }
    find<QAction>("full-screen")->trigger();
}

} // namespace
} // namespace sparsight::testing
