// The Schedules page in the real window: what measuring may touch, and what it may not.
#include "window_fixture.h"

#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/details/costed_code.h"
#include "gui/domains/sparse/details/schedule_details.h"
#include "gui/domains/sparse/details/timeline_view.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/shell/window/window_closing.h"
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "widgets/chart/plots/lane_plot.h"
#include "widgets/look/page_states.h"
#include "widgets/schedule/editor/loop_chip_row.h"
#include "widgets/schedule/editor/schedule_editor.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonObject>
#include <QLabel>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QToolTip>
#include <fmt/format.h>

namespace sparsight::testing {
namespace {

class SchedulesPageTest : public WindowTest {
protected:
    SchedulesPageTest() { open_workspace_on(QStringLiteral("schedules")); }

    [[nodiscard]] SchedulesPage& page() { return *window().findChild<SchedulesPage*>(); }
    [[nodiscard]] ScheduleEditor& editor() { return *page().findChild<ScheduleEditor*>(); }
    [[nodiscard]] QAbstractItemModel& results() { return *page().findChild<DataTable*>()->model(); }

    void choose_schedule() {
        program_->selection().select_configuration(QStringLiteral("spmm"),
                                                   QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
        ASSERT_TRUE(wait_until([&] { return editor().draft().indices.size() == 3; }));
    }
    void show_the_loop_nest() {
        choose_schedule();
        page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(find<QWidget>("loop-nest"));
        ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    }
    void flip_the_rows() { Q_EMIT editor().loops()->format_flipped(QStringLiteral("i1")); }
    void measure_the_draft() {
        page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(&editor());
        click(editor().findChild<QPushButton*>());
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && results().rowCount() == 2; }, 120));
    }
    /// A workspace knows it once something was measured there.
    MachineId this_machine_in(Workspace& workspace) {
        const QString fingerprint = program_->session().this_machine();
        if (const MachineRecord* known = program_->session().machine(fingerprint))
            return known->id;
        ProbeOptions options;
        options.measure = false;
        const auto machine = probe_this_computer(options);
        return *record_machine(workspace, machine->name, fingerprint.toStdString(),
                               machine_to_text(*machine));
    }
    static std::string engine_of_last_time(Workspace& workspace) {
        const auto rows = list_results(workspace);
        const auto last = std::ranges::max_element(*rows, {}, &ResultRow::measured);
        return last == rows->end() ? "" : last->engine;
    }
    /// As if another program had measured fixed CSR with this chunk.
    void record(int chunk, Milliseconds median, Milliseconds spread = Milliseconds(0),
                const std::string& engine = {}) {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        MeasurementSetting setting;
        setting.matrix = program_->session().workload(QStringLiteral("banded"))->id;
        setting.machine = this_machine_in(*workspace);
        setting.dense = page().measure_panel().fields().dense();
        setting.protocol = name(page().measure_panel().request().protocol);
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = median;
        measurement.spread = spread;
        measurement.repeats = 9;
        measurement.engine = engine.empty() ? engine_of_last_time(*workspace) : engine;
        SuperSchedule schedule = fixed_csr(Operator::SpMM, page().measure_panel().request().threads);
        schedule.chunk = chunk;
        ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        program_->session().refresh();
    }
    void record_a_winner() {
        record(8, Milliseconds(1e-6));
        ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    }
    [[nodiscard]] QSpinBox* field(const char* called) {
        for (QSpinBox* box : page().measure_panel().findChildren<QSpinBox*>())
            if (box->accessibleName() == QLatin1String(called))
                return box;
        return nullptr;
    }
    [[nodiscard]] Job newest_job() {
        const std::vector<Job> jobs = program_->jobs().jobs();
        return *std::ranges::max_element(jobs, {}, &Job::created);
    }
};

TEST_F(SchedulesPageTest, OffersTheSettingsThatHaveTimesWhereThisOneHasNone) {
    record(8, Milliseconds(1));
    record(16, Milliseconds(2));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 2; }));
    MeasureFields& fields = page().measure_panel().fields();
    const std::int64_t dense = fields.dense();
    fields.set_dense(dense + 7);
    ASSERT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 0; }));
    auto* const empty = page().findChild<EmptyState*>(QStringLiteral("no-times"));
    ASSERT_TRUE(empty->isVisible());
    QStringList words;
    for (const QLabel* const label : empty->findChildren<QLabel*>())
        words << label->text();
    EXPECT_THAT(words.join(u' ').toStdString(),
                ::testing::HasSubstr(fmt::format("SpMM with {} columns of the dense matrix", dense)));
    EXPECT_THAT(words.join(u' ').toStdString(), ::testing::HasSubstr("2 schedules"));
    Q_EMIT empty->link_activated(QStringLiteral("0"));
    EXPECT_EQ(fields.dense(), dense);
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 2; }));
}

/// A simulated machine in the workspace, without runtimes; it is selected.
class SimulatedMachineTest : public SchedulesPageTest {
protected:
    SimulatedMachineTest() {
        record(8, Milliseconds(1));
        EXPECT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
        auto workspace = Workspace::open(program_->session().path().toStdString());
        MachineDescription machine = simulated_copy(find_machine_preset("epyc-7543").value().machine);
        machine.name = "mine";
        mine_ = QString::fromStdString(add_machine(*workspace, machine).value().record.fingerprint);
        program_->session().refresh();
        EXPECT_TRUE(wait_until([&] { return program_->session().machine(mine_) != nullptr; }));
        program_->selection().select_machine(mine_);
        EXPECT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 0; }));
    }
    [[nodiscard]] EmptyState& empty() { return *page().findChild<EmptyState*>(QStringLiteral("no-times")); }

    QString mine_;
};

TEST_F(SimulatedMachineTest, IsNamedBesideTheMachinesThatHaveTimes) {
    const auto* shown = page().findChild<QLabel*>(QStringLiteral("shown-machine"));
    EXPECT_TRUE(shown->isVisible());
    EXPECT_THAT(shown->text().toStdString(), ::testing::HasSubstr("mine"));
    ASSERT_TRUE(empty().isVisible());
    QStringList words;
    for (const QLabel* const label : empty().findChildren<QLabel*>())
        words << label->text();
    const QString here = program_->session().this_machine();
    EXPECT_THAT(words.join(u' ').toStdString(), ::testing::HasSubstr("No times on mine yet"));
    EXPECT_THAT(words.join(u' ').toStdString(), ::testing::HasSubstr("machine:" + here.toStdString()));
    Q_EMIT empty().link_activated(QStringLiteral("machine:") + here);
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
    EXPECT_FALSE(shown->isVisible()) << "this computer needs no word";
}

TEST_F(SchedulesPageTest, OffersTheMachineThatHasMoreTimesBesideTheFewOfThisComputer) {
    auto* const shown = page().findChild<QLabel*>(QStringLiteral("shown-machine"));
    record(8, Milliseconds(1));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
    EXPECT_FALSE(shown->isVisible()) << "no other machine has any";
    {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const MachineDescription laptop = find_machine_preset("laptop")->machine;
        MeasurementSetting setting;
        setting.matrix = program_->session().workload(QStringLiteral("banded"))->id;
        setting.machine = *record_machine(*workspace, "laptop", "recorded:laptop", machine_to_text(laptop));
        setting.dense = page().measure_panel().fields().dense();
        setting.protocol = "imported";
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        for (const int chunk : {4, 8, 16}) {
            SuperSchedule schedule = fixed_csr(Operator::SpMM, 2);
            schedule.chunk = chunk;
            ASSERT_TRUE(record_measurement(*workspace, setting, schedule, measurement));
        }
    }
    program_->session().refresh();
    ASSERT_TRUE(wait_until([&] { return shown->isVisible(); }));
    EXPECT_THAT(shown->text().toStdString(), ::testing::HasSubstr("Times of <b>this computer</b>. "));
    EXPECT_THAT(shown->text().toStdString(), ::testing::HasSubstr("Show the 3 recorded times of laptop</a>"));
    Q_EMIT shown->linkActivated(QStringLiteral("recorded:laptop"));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    EXPECT_THAT(shown->text().toStdString(), ::testing::Not(::testing::HasSubstr("recorded times of")))
        << "this computer has less";
    Q_EMIT shown->linkActivated(QStringLiteral("this"));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
}

TEST_F(SimulatedMachineTest, GetsItsRuntimesOnOneClick) {
    click(empty().findChild<QPushButton*>(QStringLiteral("simulate-runtimes")));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && results().rowCount() > 10; }, 60));
    EXPECT_FALSE(empty().isVisible());
    EXPECT_EQ(program_->selection().current().machine, mine_);
}

TEST_F(SimulatedMachineTest, MakesRoomForThisComputerWhenOneMeasures) {
    page().measure_panel().measure_schedule(QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    EXPECT_EQ(program_->selection().current().machine, program_->session().this_machine());
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
}

TEST_F(SchedulesPageTest, TheEditsOfADraftCanBeUndoneAfterItWasMeasured) {
    choose_schedule();
    const ScheduleDraft chosen = editor().draft();
    flip_the_rows();
    const ScheduleDraft edited = editor().draft();
    ASSERT_NE(edited, chosen);
    measure_the_draft();
    EXPECT_EQ(editor().draft(), edited);
    EXPECT_FALSE(editor().reset_action()->isEnabled()) << "it is the schedule that is selected now";
    editor().undo_action()->trigger();
    EXPECT_EQ(editor().draft(), chosen);
    editor().reset_action()->trigger();
    EXPECT_EQ(editor().draft(), edited);
    editor().undo_action()->trigger();
    editor().redo_action()->trigger();
    EXPECT_EQ(editor().draft(), edited);
}

TEST_F(SchedulesPageTest, ABetterResultTakesThePlaceOfTheBestButNotOfADraft) {
    choose_schedule();
    measure_the_draft();
    program_->selection().select_configuration(QStringLiteral("spmv"), {});
    program_->selection().select_configuration(QStringLiteral("spmm"), {});
    ASSERT_TRUE(wait_until([&] { return !editor().draft().op.isEmpty(); })) << "the best of them";
    flip_the_rows();
    const ScheduleDraft edited = editor().draft();
    record_a_winner();
    EXPECT_EQ(editor().draft(), edited);
    EXPECT_TRUE(editor().undo_action()->isEnabled());
}

TEST_F(SchedulesPageTest, WhatIsStoredIsMeasuredAgainOnOneClick) {
    field("Schedules")->setValue(1);
    field("Columns of the dense matrix")->setValue(8);
    const auto* offer = find<QLabel>("stored");
    click(find<QPushButton>("measure"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && results().rowCount() == 2; }, 120));
    EXPECT_FALSE(offer->isVisible());
    click(find<QPushButton>("measure"));
    ASSERT_TRUE(wait_until([&] { return offer->isVisible() && no_job_is_under_way(); }, 120));
    Q_EMIT find<QLabel>("stored")->linkActivated(QStringLiteral("again"));
    EXPECT_FALSE(offer->isVisible());
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    EXPECT_THAT(newest_job().summary.toStdString(), ::testing::HasSubstr("2 measured"));
    EXPECT_FALSE(offer->isVisible());
}

TEST_F(SchedulesPageTest, WhatWasMeasuredBeforeAndIsKeptIsSaid) {
    field("Schedules")->setValue(1);
    field("Columns of the dense matrix")->setValue(8);
    click(find<QPushButton>("measure"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && results().rowCount() == 2; }, 120));
    field("Schedules")->setValue(3);
    click(find<QPushButton>("measure"));
    const auto* stored = find<QLabel>("stored");
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way() && stored->isVisible(); }, 120));
    EXPECT_TRUE(wait_until([&] { return results().rowCount() > 2; }, 10)) << "others were measured";
    EXPECT_THAT(stored->text().toStdString(),
                ::testing::HasSubstr("Measured before, and kept: 1 measurement"))
        << newest_job().summary.toStdString();
}

TEST_F(SchedulesPageTest, ALeadWithinTheSpreadIsMeasuredAgainOnOneClick) {
    choose_schedule();
    measure_the_draft();
    record(32, Milliseconds(1e-5), Milliseconds(2e-6)); // fixed CSR itself, beyond what can be measured
    record(8, Milliseconds(9e-6), Milliseconds(2e-6));
    auto* headline = find<QLabel>("headline");
    ASSERT_TRUE(wait_until([&] { return headline->text().contains(QStringLiteral("Measure both again")); }))
        << headline->text().toStdString();
    const std::size_t jobs = program_->jobs().jobs().size();
    Q_EMIT headline->linkActivated(QStringLiteral("again"));
    ASSERT_EQ(program_->jobs().jobs().size(), jobs + 1);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    EXPECT_THAT(newest_job().summary.toStdString(), ::testing::HasSubstr("2 measured"))
        << "the schedule and fixed CSR";
}

TEST_F(SchedulesPageTest, TheTableMarksWhatMayBeNoise) {
    record(32, Milliseconds(10), Milliseconds(1)); // fixed CSR
    record(8, Milliseconds(9), Milliseconds(1));
    record(16, Milliseconds(5), Milliseconds(1));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    const auto cell = [&](int row, int role) {
        return results().index(row, ResultsModel::Speedup).data(role);
    };
    EXPECT_EQ(cell(0, Qt::DisplayRole).toString(), QStringLiteral("2.00×"));
    EXPECT_EQ(cell(1, Qt::DisplayRole).toString(), QStringLiteral("~1.11×"));
    EXPECT_THAT(cell(1, Qt::ToolTipRole).toString().toStdString(), ::testing::HasSubstr("May be noise"));
    EXPECT_NE(cell(1, Qt::ForegroundRole), cell(0, Qt::ForegroundRole));
    EXPECT_EQ(cell(2, Qt::DisplayRole).toString(), QStringLiteral("1.00×")) << "fixed CSR itself";
}

TEST_F(SchedulesPageTest, SaysWhyResultsAndFailuresShowOtherTimes) {
    const auto* const how = find<QLabel>("how-timed");
    EXPECT_FALSE(how->isVisible()) << "there is no time yet";
    record(32, Milliseconds(10));
    ASSERT_TRUE(wait_until([&] { return how->isVisible(); }));
    EXPECT_THAT(how->text().toStdString(),
                ::testing::HasSubstr("Results and Failures compare the best in turns"));
    EXPECT_THAT(
        results().headerData(ResultsModel::Time, Qt::Horizontal, Qt::ToolTipRole).toString().toStdString(),
        ::testing::HasSubstr("in turns"));
}

TEST_F(SchedulesPageTest, ThreeRowsOfTheRankingAreSeenInALowWindow) {
    for (const int chunk : {8, 16, 32, 64})
        record(chunk, Milliseconds(chunk));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 4; }));
    const auto* const how = find<QLabel>("how-timed");
    EXPECT_TRUE(how->isVisible());
    window().resize(940, 500);
    const auto* const table = page().findChild<DataTable*>()->view();
    const auto rows_seen = [&] {
        const QRect seen = table->viewport()->visibleRegion().boundingRect();
        int rows = 0;
        for (int row = 0; row < 4; ++row)
            rows += seen.contains(table->visualRect(table->model()->index(row, 0)).center()) ? 1 : 0;
        return rows;
    };
    EXPECT_TRUE(wait_until([&] { return rows_seen() >= 3; })) << rows_seen();
    EXPECT_FALSE(how->isVisible());
    EXPECT_THAT(find<QLabel>("headline")->toolTip().toStdString(),
                ::testing::HasSubstr("one schedule after the other"));
    EXPECT_FALSE(find<QLabel>("job-estimate")->isVisible());
    EXPECT_THAT(find<QPushButton>("measure")->toolTip().toStdString(), ::testing::HasSubstr("About "))
        << "the button tells how long it takes";
    window().resize(1280, 800);
    EXPECT_TRUE(wait_until([&] { return how->isVisible(); }));
}

TEST_F(SchedulesPageTest, AllTabsOfTheDetailsAreSeenAtTheUsualSize) {
    record(8, Milliseconds(1));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1 && page_is_settled(); }));
    ASSERT_EQ(window().size(), QSize(1280, 800));
    const QTabBar* const tabs = page().findChild<ScheduleDetails*>()->tabs().tabBar();
    EXPECT_TRUE(tabs->rect().contains(tabs->tabRect(tabs->count() - 1)));
}

TEST_F(SchedulesPageTest, LeavesOutTimesOfAnotherCodeGeneratorAndSaysSo) {
    record(8, Milliseconds(1), {}, "code 1");
    record(16, Milliseconds(2), {}, "code 2");
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
    const auto* note = page().findChild<QLabel*>(QStringLiteral("how-timed"));
    EXPECT_TRUE(note->toolTip().startsWith(QStringLiteral("1 time"))) << note->toolTip().toStdString();
}

TEST_F(SchedulesPageTest, TheSelectedScheduleStaysWhileTimesOfOlderCodeAreMeasuredAnew) {
    record(8, Milliseconds(1), {}, "code 1");
    record(32, Milliseconds(2), {}, "code 1");
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 2; }));
    const QString best = program_->selection().current().configuration;
    ASSERT_TRUE(best.endsWith(QStringLiteral(" 8"))) << best.toStdString();
    const auto expect_it_after = [&](int chunk, double time, int rows) {
        record(chunk, Milliseconds(time), {}, "code 2");
        ASSERT_TRUE(wait_until([&] { return page_is_settled() && results().rowCount() == rows; }));
        EXPECT_EQ(program_->selection().current().configuration, best) << "chunk " << chunk;
    };
    expect_it_after(32, 2, 1);
    expect_it_after(16, 0.5, 2);
    expect_it_after(8, 1, 3);
    const auto* const table = page().findChild<DataTable*>();
    EXPECT_EQ(table->displayed_source_rows()[1], table->current_source_row()) << "its row is marked again";
}

TEST_F(SchedulesPageTest, SaysThatFixedCsrWasMeasuredAnew) {
    record(32, Milliseconds(10));
    record(8, Milliseconds(5));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 2; }));
    const auto* note = find<QLabel>("baseline-note");
    EXPECT_FALSE(note->isVisible());
    record(32, Milliseconds(20));
    ASSERT_TRUE(wait_until([&] { return note->isVisible(); }));
    EXPECT_THAT(note->text().toStdString(), ::testing::HasSubstr("10.0\u00A0ms before, 20.0\u00A0ms now"));
    EXPECT_THAT(results().index(0, ResultsModel::Speedup).data(Qt::ToolTipRole).toString().toStdString(),
                ::testing::HasSubstr("two sessions"));
    record(8, Milliseconds(6));
    EXPECT_TRUE(wait_until([&] { return !note->isVisible(); })) << "they are of one session again";
}

TEST_F(SchedulesPageTest, TimesOfAnotherWorkspaceAreNotWhatFixedCsrTookBefore) {
    record(32, Milliseconds(10));
    record(8, Milliseconds(5));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 2; }));
    open(make_workspace("other.sparsight"));
    window().show_page(QStringLiteral("schedules"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 0; }));
    program_->selection().select_workload(QStringLiteral("banded"));
    record(8, Milliseconds(5));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }, 10));
    record(32, Milliseconds(20));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 2; }, 10));
    const auto* note = find<QLabel>("baseline-note");
    ASSERT_TRUE(wait_until([&] { return note->isVisible(); }));
    EXPECT_THAT(note->text().toStdString(), ::testing::Not(::testing::HasSubstr("before,")));
}

TEST_F(SchedulesPageTest, TheSentenceAboveTheEditorIsThatOfTheDraft) {
    choose_schedule();
    const auto* meaning = find<QLabel>("schedule-meaning");
    const QString chosen = meaning->text();
    page().findChild<ScheduleDetails*>()->tabs().setCurrentWidget(&editor());
    EXPECT_EQ(meaning->text(), chosen) << "nothing is edited";
    flip_the_rows();
    EXPECT_THAT(meaning->text().toStdString(), ::testing::StartsWith("Your draft"));
    page().findChild<ScheduleDetails*>()->tabs().setCurrentIndex(0);
    EXPECT_EQ(meaning->text(), chosen) << "the code is that of the schedule that is chosen";
}

TEST_F(SchedulesPageTest, TheLoopNestSaysWhatEachLineCosts) {
    show_the_loop_nest();
    auto* const code = find<CodeView>("nest-code");
    const std::vector<LineCostMark>& costs = code->line_costs();
    ASSERT_EQ(costs.size(), static_cast<std::size_t>(code->blockCount()));
    double shares = 0;
    for (const LineCostMark& cost : costs)
        shares += cost.share;
    EXPECT_NEAR(shares, 1, 0.02) << "what rounds to nothing is left out";
    const auto dearest = std::ranges::max_element(costs, {}, &LineCostMark::share);
    const auto line = static_cast<int>(dearest - costs.begin());
    EXPECT_THAT(find<QLabel>("total-cost")->text().toStdString(),
                ::testing::HasSubstr(fmt::format("Line {} takes", line + 1)));
    const QPoint place(4, code->cost_cell(line).center().y());
    QHelpEvent hover(QEvent::ToolTip, place, code->viewport()->mapToGlobal(place));
    QApplication::sendEvent(code->viewport(), &hover);
    EXPECT_THAT(QToolTip::text().toStdString(), ::testing::HasSubstr("of the simulated time"));
    QToolTip::hideText();
    click(find<QPushButton>("copy-with-costs"));
    const std::string copied = QApplication::clipboard()->text().toStdString();
    EXPECT_THAT(copied, ::testing::HasSubstr("in all, simulated on"));
    EXPECT_THAT(copied, ::testing::HasSubstr("for (int64_t "));
}

TEST_F(SchedulesPageTest, TheAssemblyOfTheHotLoopStandsBesideTheLoopNest) {
    if (const auto analyser = CodeAnalyser::make("native"); !analyser)
        GTEST_SKIP() << analyser.error().message;
    window().resize(1600, 900);
    show_the_loop_nest();
    auto* const hot = find<QLabel>("hot-loop");
    EXPECT_TRUE(hot->isVisible());
    EXPECT_THAT(hot->text().toStdString(), ::testing::HasSubstr("cycles per iteration"));
    auto* const assembly = find<CodeView>("assembly");
    const QString loop = assembly->toPlainText();
    EXPECT_FALSE(loop.isEmpty());
    auto* const part = find<QComboBox>("assembly-part");
    QTest::keyClick(part, Qt::Key_Down);
    EXPECT_GT(assembly->toPlainText().size(), 2 * loop.size()) << "the whole function";
    EXPECT_TRUE(assembly->toPlainText().contains(loop));
    QTest::keyClick(part, Qt::Key_Up);
    EXPECT_EQ(assembly->toPlainText(), loop);
    assembly->selectAll();
    EXPECT_FALSE(assembly->textCursor().selectedText().isEmpty());
    const auto notes = std::ranges::count_if(find<CodeView>("nest-code")->line_costs(),
                                             [](const LineCostMark& cost) { return !cost.note.isEmpty(); });
    EXPECT_EQ(notes, 1) << "at the line of the loop";
}

TEST_F(SchedulesPageTest, TheReasonAgainstHardwareCountersStandsWhereTheyWould) {
    show_the_loop_nest();
    const auto counters = HardwareCounters::open();
    const auto* const told = find<QLabel>("hardware-counters");
    EXPECT_EQ(find<QPushButton>("count-events")->isVisible(), counters.has_value());
    if (!counters) {
        EXPECT_TRUE(told->isVisible());
        EXPECT_THAT(told->text().toStdString(), ::testing::HasSubstr(counters.error().message));
        return;
    }
    click(find<QPushButton>("count-events"));
    ASSERT_TRUE(wait_until([&] { return told->text().contains(QStringLiteral("Counted")); }, 60));
}

TEST(CountedText, TellsTheCountsOrWhyThereAreNone) {
    const QJsonObject counts{{QStringLiteral("cycles"), 1.25e6},
                             {QStringLiteral("instructions"), 2e6},
                             {QStringLiteral("cache_misses"), QJsonValue()}};
    const QString told = counted_text({{QStringLiteral("counted"), counts}});
    EXPECT_TRUE(told.startsWith(QStringLiteral("Counted in one run"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("cycles")));
    EXPECT_FALSE(told.contains(QStringLiteral("misses"))) << "the processor has no such counter";
    EXPECT_EQ(counted_text({{QStringLiteral("no_counters"), QStringLiteral("not available here")}}),
              QStringLiteral("Hardware counters: not available here"));
}

TEST_F(SimulatedMachineTest, ItsCodeHasCostsAndNoAssemblyOfThisComputer) {
    show_the_loop_nest();
    EXPECT_FALSE(find<CodeView>("nest-code")->line_costs().empty());
    EXPECT_THAT(find<QLabel>("total-cost")->text().toStdString(), ::testing::HasSubstr("mine"));
    EXPECT_THAT(find<QLabel>("hot-loop")->text().toStdString(), ::testing::HasSubstr("Select this computer"));
    EXPECT_FALSE(find<CodeView>("assembly")->isVisible());
}

TEST_F(SchedulesPageTest, TheDetailsCanHaveTheWholePage) {
    window().resize(1280, 800);
    record(32, Milliseconds(10));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 1; }));
    auto* details = page().findChild<ScheduleDetails*>();
    const int before = details->width();
    auto* widen = find<QToolButton>("widen-details");
    click(widen);
    ASSERT_TRUE(wait_until([&] { return details->width() > 2 * before; }));
    click(widen);
    ASSERT_TRUE(wait_until([&] { return details->width() < before + before / 4; }));
    EXPECT_TRUE(page().findChild<DataTable*>()->isVisible());
}

TEST_F(SchedulesPageTest, WhatIsToBeMeasuredIsRestored) {
    field("Schedules")->setValue(7);
    field("Seed")->setValue(3);
    const QByteArray layout = page().layout_state();
    field("Schedules")->setValue(8);
    field("Seed")->setValue(4);
    page().restore_layout(layout);
    EXPECT_EQ(field("Schedules")->value(), 7);
    EXPECT_EQ(field("Seed")->value(), 3);
    page().restore_layout(QByteArray("damaged"));
    EXPECT_EQ(field("Schedules")->value(), 7);
}

TEST_F(SchedulesPageTest, WhatStandsAsTheSettingsSayFollowsThemAfterARestart) {
    UserSettings& settings = program_->settings();
    SparseSettings sparse(settings);
    settings.threads.set(2);
    field("Schedules")->setValue(sparse.schedules.get() + 7);
    const QByteArray layout = page().layout_state();
    settings.threads.set(3);
    sparse.dense_extent.set(24);
    sparse.schedules.set(9);
    page().restore_layout(layout); // as a window does that is opened after the settings were changed
    EXPECT_EQ(field("Threads")->value(), 3);
    EXPECT_EQ(field("Columns of the dense matrix")->value(), 24);
    EXPECT_EQ(field("Schedules")->value(), 107) << "but what was chosen here is restored";
}

TEST_F(SchedulesPageTest, ThreadsThatAScheduleBroughtAlongAreNotRestored) {
    auto& fields = page().measure_panel().fields();
    field("Threads")->setValue(2);
    fields.set_threads(5);
    EXPECT_EQ(field("Threads")->value(), 5) << "its time compares with those of the same number only";
    page().restore_layout(page().layout_state());
    EXPECT_EQ(field("Threads")->value(), 2) << "which were chosen";
    program_->settings().threads.set(4);
    fields.set_threads(5);
    page().restore_layout(page().layout_state());
    EXPECT_EQ(field("Threads")->value(), 4) << "which the settings say";
}

TEST_F(SchedulesPageTest, WhatIsBeingMeasuredCantBeAskedForAgainAfterReopening) {
    field("Schedules")->setValue(2'000);
    field("Columns of the dense matrix")->setValue(8);
    click(find<QPushButton>("measure"));
    ASSERT_TRUE(wait_until([&] { return stored_results() >= 1; }, 120));
    window().close();
    click(window().findChild<ClosingQuestion*>()->findChild<QPushButton*>(QStringLiteral("keep-running")));
    ASSERT_TRUE(wait_until([&] { return !window().isVisible(); }));
    restart();
    window().restore_session();
    ASSERT_TRUE(wait_until([&] { return program_->session().is_open() && page_is_settled(); }));
    ASSERT_TRUE(program_->jobs().has_active_jobs());
    EXPECT_FALSE(find<QPushButton>("measure")->isEnabled());
    for (const Job& job : program_->jobs().jobs())
        program_->jobs().stop(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(SchedulesPageTest, WhatIsChosenForAJobChangesNoSetting) {
    SparseSettings settings(program_->settings());
    const int before = settings.schedules.get();
    field("Schedules")->setValue(before + 7);
    field("Columns of the dense matrix")->setValue(8);
    EXPECT_EQ(settings.schedules.get(), before);
    EXPECT_NE(settings.dense_extent.get(), 8);
    settings.schedules.set(3);
    EXPECT_EQ(field("Schedules")->value(), 3) << "but a setting that is changed is followed";
}

TEST_F(SchedulesPageTest, MeasureKeepsTheFocus) {
    field("Schedules")->setValue(1);
    auto* measure = find<QPushButton>("measure");
    window().activateWindow();
    measure->setFocus();
    ASSERT_TRUE(wait_until([&] { return measure->hasFocus(); }));
    QTest::keyClick(measure, Qt::Key_Space);
    EXPECT_FALSE(measure->isEnabled());
    EXPECT_EQ(window().focusWidget(), &page().measure_panel()) << "not the next field";
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    EXPECT_TRUE(measure->hasFocus());
}

TEST_F(SchedulesPageTest, ADraftIsMeasuredWithItsOwnThreads) {
    choose_schedule();
    ScheduleDraft draft = editor().draft();
    draft.threads = 1;
    field("Threads")->setValue(2);
    Q_EMIT editor().measure_requested(draft);
    EXPECT_EQ(field("Threads")->value(), 1) << "what is shown beside it is measured with as many";
    EXPECT_THAT(newest_job().arguments, ::testing::Contains(QStringLiteral("--threads=1")));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
}

TEST_F(SchedulesPageTest, WithoutAScheduleThereIsNothingToEdit) {
    choose_schedule();
    program_->selection().select_configuration(QStringLiteral("spmv"), {});
    EXPECT_TRUE(editor().draft().op.isEmpty());
}

TEST_F(SchedulesPageTest, OpensOnTheBestOfWhatWasMeasuredBefore) {
    choose_schedule();
    measure_the_draft();
    window().show_page(QStringLiteral("matrices"));
    program_->selection().select_configuration(QStringLiteral("spmv"), {});
    program_->selection().select_configuration(QStringLiteral("spmm"), {});
    ASSERT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 2; }));
    EXPECT_TRUE(program_->selection().current().configuration.isEmpty()) << "nobody looks at it";
    window().show_page(QStringLiteral("schedules"));
    EXPECT_FALSE(program_->selection().current().configuration.isEmpty());
}

TEST_F(SchedulesPageTest, AScheduleOfAnotherMatrixMakesRoomForTheBestOfThisOne) {
    record(8, Milliseconds(1));
    record(32, Milliseconds(2));
    Selected elsewhere = program_->selection().current();
    elsewhere.workload.clear();
    program_->selection().select(elsewhere);
    choose_schedule();
    program_->selection().select_workload(QStringLiteral("banded"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled() && results().rowCount() == 2; }));
    EXPECT_TRUE(wait_until([&] {
        return program_->selection().current().configuration.contains(QStringLiteral(" 2 8"));
    })) << program_->selection().current().configuration.toStdString();
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

TEST_F(SchedulesPageTest, SchedulesAreToldApartInTheSmallestWindow) {
    window().resize(940, 500);
    for (const int chunk : {8, 16, 32, 64})
        record(chunk, Milliseconds(chunk));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 4; }));
    const TableView& view = *page().findChild<DataTable*>()->view();
    const auto wanted = [&] {
        return static_cast<const QAbstractItemView&>(view).sizeHintForColumn(ResultsModel::Schedule);
    };
    EXPECT_TRUE(wait_until([&] { return view.columnWidth(ResultsModel::Schedule) >= wanted(); }));
    EXPECT_LE(view.columnViewportPosition(ResultsModel::Schedule) + wanted(), view.viewport()->width());
}

TEST_F(SchedulesPageTest, TheTimelineIsSimulatedAtOnceAndRecordedWhenItIsAskedFor) {
    choose_schedule();
    QTabWidget& tabs = page().findChild<ScheduleDetails*>()->tabs();
    auto* const view = page().findChild<TimelineView*>();
    auto* const plot = view->findChild<LanePlot*>();
    EXPECT_TRUE(plot->picture().empty()) << "nothing is simulated that nobody looks at";
    QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(tabs.indexOf(view)).center());
    ASSERT_EQ(tabs.currentWidget(), view);
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 1; }));
    EXPECT_TRUE(plot->picture().groups[0].hatched);
    auto* const balance = view->findChild<QLabel*>(QStringLiteral("timeline-balance"));
    EXPECT_TRUE(balance->isVisible());

    click(view->findChild<QPushButton*>(QStringLiteral("record-timeline")));
    EXPECT_TRUE(plot->hasFocus()) << "a disabled button hands the focus on to the picture";
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 2; }, 120))
        << window().notices().texts().join(QLatin1Char('\n')).toStdString();
    EXPECT_FALSE(plot->picture().groups[0].hatched) << "the recorded one stands above";
    EXPECT_THAT(view->findChild<QLabel*>(QStringLiteral("timeline-remarks"))->text().toStdString(),
                ::testing::HasSubstr("Recording costs"));
    EXPECT_EQ(stored_results(), 0U) << "a timeline is no measurement";

    program_->selection().select_configuration(QStringLiteral("spmm"),
                                               QStringLiteral("2 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 1; })) << "of another schedule";
    choose_schedule();
    ASSERT_TRUE(wait_until([&] { return plot->picture().groups.size() == 2; })) << "it is still known";
}

} // namespace
} // namespace sparsight::testing
