// The window is closed while a job runs, and opened again.
#include "window_fixture.h"

#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/shell/window/window_closing.h"
#include "widgets/table/data_table.h"

#include <QAction>

namespace sparsight::testing {
namespace {

class ClosingDuringAJob : public WindowTest {
protected:
    void begin() {
        open_workspace_on(QStringLiteral("schedules"));
        CollectSchedulesJob job;
        job.workspace = program_->session().path();
        job.workloads = {QStringLiteral("banded")};
        job.configurations = 20'000;
        ASSERT_TRUE(program_->jobs().start(job).has_value());
        ASSERT_TRUE(wait_until([&] { return stored_results() >= 2; }, 120));
        window().close();
        EXPECT_TRUE(window().isVisible()) << "it asks first";
    }
    void answer(const char* button) {
        auto* question = window().findChild<ClosingQuestion*>();
        ASSERT_NE(question, nullptr);
        click(question->findChild<QPushButton*>(QLatin1String(button)));
    }
};

TEST_F(ClosingDuringAJob, StayKeepsWindowAndJob) {
    begin();
    answer("stay");
    QTest::qWait(50);
    EXPECT_TRUE(window().isVisible());
    EXPECT_TRUE(program_->jobs().has_active_jobs());
    for (const Job& job : program_->jobs().jobs())
        program_->jobs().stop(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(ClosingDuringAJob, StopEndsTheJobAndThenCloses) {
    begin();
    answer("stop-and-close");
    ASSERT_TRUE(wait_until([&] { return !window().isVisible(); }));
    EXPECT_FALSE(program_->jobs().has_active_jobs());
    EXPECT_GE(stored_results(), 2U);
}

TEST_F(ClosingDuringAJob, WhatWaitsWhenAllIsStoppedBeginsInTheNextWindow) {
    begin();
    window().findChild<ClosingQuestion*>()->reject();
    CollectSchedulesJob next;
    next.workspace = program_->session().path();
    next.workloads = {QStringLiteral("banded")};
    next.configurations = 1;
    next.seed = 7;
    const JobId waiting = *program_->jobs().start(next);
    window().close();
    const auto questions = window().findChildren<ClosingQuestion*>();
    ASSERT_FALSE(questions.isEmpty());
    EXPECT_THAT(questions.last()->informativeText().toStdString(),
                ::testing::HasSubstr("wait until the window is opened again"));
    click(questions.last()->findChild<QPushButton*>(QStringLiteral("stop-and-close")));
    ASSERT_TRUE(wait_until([&] { return !window().isVisible(); }));
    EXPECT_EQ(program_->jobs().job(waiting)->state, JobState::Waiting);
    restart();
    EXPECT_TRUE(wait_until([&] {
        const auto job = program_->jobs().job(waiting);
        return job && job->state == JobState::Finished;
    }));
}

TEST_F(ClosingDuringAJob, KeepRunningIsFoundWhenTheProgramStartsAgain) {
    begin();
    answer("keep-running");
    ASSERT_TRUE(wait_until([&] { return !window().isVisible(); }));
    const std::size_t before = stored_results();
    restart();
    EXPECT_TRUE(program_->jobs().has_active_jobs()) << "it was found";
    window().restore_session();
    ASSERT_TRUE(wait_until([&] { return program_->session().is_open() && stored_results() > before; }))
        << "it went on";
    for (const Job& job : program_->jobs().jobs())
        program_->jobs().stop(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

TEST_F(ClosingDuringAJob, TheHistoryCanBeWalkedWhileAJobThatWasFoundAgainWritesItsResults) {
    program_->settings().threads.set(1); // those of the job: the page shows what it measures
    begin();
    answer("keep-running");
    ASSERT_TRUE(wait_until([&] { return !window().isVisible(); }));
    restart();
    window().restore_session();
    ASSERT_TRUE(wait_until([&] { return program_->session().is_open(); }));
    ASSERT_TRUE(program_->jobs().has_active_jobs());
    Selection& selection = program_->selection();
    auto* table = window().page(QStringLiteral("schedules"))->findChild<DataTable*>();
    selection.select_workload(QStringLiteral("banded"));
    selection.select_page(QStringLiteral("schedules"));
    ASSERT_TRUE(wait_until([&] { return table->model()->rowCount() >= 4; }));
    QStringList schedules; // the table is empty while another operator is selected
    for (const RankedResult& result : dynamic_cast<ResultsModel&>(*table->model()).rows())
        schedules << QString::fromStdString(result.row.schedule);
    for (int step = 0; step < 12; ++step) {
        selection.select_configuration(step % 3 == 0 ? QStringLiteral("spmv") : QStringLiteral("spmm"),
                                       schedules.at(step % schedules.size()));
        selection.select_page(window().page_ids().at(step % window().page_ids().size()));
        QTest::qWait(10);
    }
    const std::size_t before = stored_results();
    for (int walk = 0; walk < 6; ++walk) {
        while (selection.can_go_back()) {
            find<QAction>("back")->trigger();
            QTest::qWait(walk);
        }
        while (selection.can_go_forward()) {
            find<QAction>("forward")->trigger();
            QTest::qWait(walk);
        }
    }
    EXPECT_TRUE(wait_until([&] { return stored_results() > before; })) << "it went on meanwhile";
    EXPECT_TRUE(window().isVisible());
    for (const Job& job : program_->jobs().jobs())
        program_->jobs().stop(job.id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

} // namespace
} // namespace sparsight::testing
