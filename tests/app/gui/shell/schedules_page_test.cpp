// The Schedules page in the real window: what measuring may touch, and what it may not.
#include "schedules_page_fixture.h"

#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/shell/window/window_closing.h"
#include "machine/machine_description.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "widgets/look/page_states.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <fmt/format.h>

namespace sparsight::testing {
namespace {

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
    record_elsewhere("laptop");
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

/// As in the demo: nothing was measured here, and another machine than the first is looked at.
TEST_F(SchedulesPageTest, ShowsThisComputerOnOneClickBeforeTheWorkspaceKnowsIt) {
    record_elsewhere("first");
    record_elsewhere("second");
    ASSERT_EQ(program_->session().machine(program_->session().this_machine()), nullptr);
    program_->selection().select_machine(QStringLiteral("recorded:second"));
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    auto* const shown = page().findChild<QLabel*>(QStringLiteral("shown-machine"));
    Q_EMIT shown->linkActivated(QStringLiteral("this"));
    EXPECT_EQ(program_->selection().current().machine, program_->session().this_machine());
    EXPECT_TRUE(wait_until([&] { return results().rowCount() == 0; }));
}

TEST_F(SchedulesPageTest, OffersAMachineWhateverSignsAreInItsName) {
    const QString machine = QStringLiteral("recorded:Anna's \"server\" 100%27");
    const auto link_in = [](const QString& text) {
        static const QRegularExpression to(QStringLiteral("<a href='([^']*)'"));
        return to.match(text).captured(1);
    };
    record_elsewhere("Anna's \"server\" 100%27");
    program_->selection().select_machine(program_->session().this_machine());
    auto* const empty = page().findChild<EmptyState*>(QStringLiteral("no-times"));
    QString link;
    ASSERT_TRUE(wait_until([&] {
        for (const QLabel* const label : empty->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("machine:")))
                link = link_in(label->text());
        return !link.isEmpty();
    }));
    Q_EMIT empty->link_activated(link);
    EXPECT_EQ(program_->selection().current().machine, machine);
    ASSERT_TRUE(wait_until([&] { return results().rowCount() == 3; }));
    record(8, Milliseconds(1));
    auto* const shown = page().findChild<QLabel*>(QStringLiteral("shown-machine"));
    Q_EMIT shown->linkActivated(QStringLiteral("this"));
    ASSERT_TRUE(wait_until([&] { return shown->text().contains(QStringLiteral("Show the 3")); }));
    Q_EMIT shown->linkActivated(link_in(shown->text()));
    EXPECT_EQ(program_->selection().current().machine, machine);
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
    record(32, Milliseconds(10), Milliseconds(2)); // fixed CSR
    record(8, Milliseconds(9), Milliseconds(2));
    auto* headline = find<QLabel>("headline");
    ASSERT_TRUE(wait_until([&] { return headline->text().contains(QStringLiteral("Measure both again")); }))
        << headline->text().toStdString();
    QApplication::processEvents(); // painted with its link
    find<QPushButton>("measure")->setFocus(Qt::TabFocusReason);
    constexpr int most_stops = 200; // of the whole window
    for (int stop = 0; stop < most_stops && !headline->hasFocus(); ++stop)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    ASSERT_TRUE(headline->hasFocus());
    const std::size_t jobs = program_->jobs().jobs().size();
    QTest::keyClick(headline, Qt::Key_Return);
    ASSERT_EQ(program_->jobs().jobs().size(), jobs + 1);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    EXPECT_THAT(newest_job().summary.toStdString(), ::testing::HasSubstr("2 measured"))
        << "the schedule and fixed CSR";
}

TEST_F(SchedulesPageTest, TabComesToTheFieldsBeforeTheButtonAtTheirRight) {
    field("Schedules")->setFocus(Qt::TabFocusReason);
    constexpr int most_stops = 20;
    const auto* const button = find<QPushButton>("measure");
    const MeasureFields& fields = page().measure_panel().fields();
    for (int stop = 0; stop < most_stops && !button->hasFocus(); ++stop) {
        EXPECT_TRUE(fields.isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    EXPECT_TRUE(button->hasFocus());
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
    EXPECT_THAT(how->text().toStdString(), ::testing::HasSubstr("Results and Failures have those in turns"));
    EXPECT_THAT(
        results().headerData(ResultsModel::Time, Qt::Horizontal, Qt::ToolTipRole).toString().toStdString(),
        ::testing::HasSubstr("in turns"));
}

TEST_F(SchedulesPageTest, TheFigureInTurnsLeadsAsResultsTellsIt) {
    record(32, Milliseconds(10), Milliseconds(0.1)); // fixed CSR
    record(8, Milliseconds(5), Milliseconds(0.1));
    const auto* const headline = find<QLabel>("headline");
    ASSERT_TRUE(wait_until([&] { return headline->text().contains(QStringLiteral("2.00×")); }));
    EXPECT_FALSE(headline->text().contains(QStringLiteral("in turns")));
    record_turns({{32, 10}, {8, 6.25}});
    ASSERT_TRUE(wait_until([&] { return headline->text().startsWith(QStringLiteral("Measured in turns")); }))
        << headline->text().toStdString();
    EXPECT_THAT(
        headline->text().toStdString(),
        ::testing::AllOf(::testing::HasSubstr("1.60×"), ::testing::HasSubstr("The collected figure is ")));
    EXPECT_THAT(find<QLabel>("how-timed")->text().toStdString(),
                ::testing::HasSubstr("Results and Failures have those in turns"));
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
                ::testing::HasSubstr("Times as collected, one after the other"));
    EXPECT_FALSE(find<QLabel>("job-estimate")->isVisible());
    EXPECT_THAT(find<QPushButton>("measure")->toolTip().toStdString(), ::testing::HasSubstr("About "))
        << "the button tells how long it takes";
    window().resize(1280, 800);
    EXPECT_TRUE(wait_until([&] { return how->isVisible(); }));
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

TEST_F(SchedulesPageTest, WhileItMeasuresTheEmptyPageAsksNobodyToPressMeasure) {
    const auto told = [this] {
        QString text;
        for (const QLabel* const label :
             page().findChild<EmptyState*>(QStringLiteral("no-times"))->findChildren<QLabel*>())
            text += label->text() + u' ';
        return text.toStdString();
    };
    EXPECT_THAT(told(), ::testing::HasSubstr("Press Measure"));
    field("Schedules")->setValue(1);
    click(find<QPushButton>("measure"));
    ASSERT_FALSE(find<QPushButton>("measure")->isEnabled());
    EXPECT_THAT(told(), ::testing::AllOf(::testing::HasSubstr("are being measured"),
                                         ::testing::Not(::testing::HasSubstr("Press Measure"))));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
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

} // namespace
} // namespace sparsight::testing
