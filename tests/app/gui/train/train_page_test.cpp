#include "gui/selection/selection_panel.h"
#include "gui/shell/screenshot.h"
#include "gui/train/run_header.h"
#include "gui/train/sentence_chart.h"
#include "gui/train/train_page.h"
#include "gui/train/training_form.h"
#include "store/models.h"
#include "store/runs.h"
#include "support/event_loop.h"
#include "train_fixture.h"
#include "widgets/chart/chart.h"
#include "widgets/look/labels.h"
#include "widgets/table/table_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QProgressBar>
#include <QTabWidget>
#include <QXYSeries>
#include <unistd.h>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* first_run = R"({"name":"first","method":"fomaml","architecture":"statistics",
    "machines":["laptop","server"],"epochs":4,"rate":0.001,"inner_steps":2})";
constexpr const char* second_run = R"({"name":"second","method":"supervised","architecture":"statistics",
    "machines":["laptop"],"epochs":4,"rate":0.001})";

/// What a trainer tells of a run that is in the workspace; it goes on while a file is there.
std::string trainer(RunId run, const std::filesystem::path& gate) {
    return fmt::format(R"(
trap 'echo "{{\"event\":\"end\",\"run\":{0},\"model\":null,\"ending\":\"stopped\",\"epochs\":1,\"seconds\":2,\"complete\":false,\"stopped\":true}}"; exit 1' INT TERM
echo '{{"event":"start","job":"train","run":{0},"name":"live","epochs":3,"steps_per_epoch":4,"machines":["laptop"],"notes":["From 5 matrices."],"resumed_at":null,"parameters":{{}}}}'
echo '{{"event":"steps","first":1,"losses":[1.0,0.5,0.25,0.125],"epoch":1,"seconds":2}}'
echo '{{"event":"epoch","epoch":1,"step":4,"training_loss":0.47,"rate":0.001,"seconds":2,"examples_per_second":640,"memory_bytes":1e8,"validation":{{"overall":{{"loss":0.4,"ordered_pair_accuracy":0.75,"regret_at_20":0.1}}}},"validation_of_simulator":{{"overall":{{"ordered_pair_accuracy":0.8}}}},"is_best":true}}'
echo '{{"event":"progress","stage":"epoch 2","done":4,"total":12,"seconds_left":4}}'
while [ ! -e {1} ]; do sleep 0.02; done
echo '{{"event":"steps","first":5,"losses":[0.1,0.1,0.1,0.1],"epoch":2,"seconds":4}}'
echo '{{"event":"epoch","epoch":2,"step":8,"training_loss":0.1,"rate":0.001,"seconds":4,"validation":{{"overall":{{"loss":0.2,"ordered_pair_accuracy":0.9}}}},"is_best":true}}'
echo '{{"event":"end","run":{0},"model":"live","ending":"finished","epochs":2,"seconds":4,"metrics":{{"ordered_pair_accuracy":0.9}},"complete":true,"stopped":false}}'
)",
                       static_cast<std::int64_t>(run), gate.string());
}

class LiveTraining : public TrainTest {
protected:
    /// Starts it by the button, and waits until the first epoch is drawn.
    TrainPage& begin() {
        make_measured_workspace();
        TrainPage& page = open_page(path("w.sparsight"));
        // The trainer makes its run itself; here it has to be there before it tells of it.
        run_ = add_run(R"({"name":"live","method":"fomaml","architecture":"statistics","epochs":3})",
                       RunState::Running, 0);
        program_->session().refresh();
        use_worker(trainer(run_, folder_ / "gate"));
        click(find<QPushButton>("start-training"));
        EXPECT_TRUE(wait_until([&] { return drawn_steps(page) == 4; }, 30));
        return page;
    }

    /// As the trainer does when it was stopped after its first epoch.
    void end_in_store() {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(record_metric(*workspace, run_, "epoch/step", {1, 4.0}).has_value());
        ASSERT_TRUE(end_run(*workspace, run_, RunState::Stopped).has_value());
        program_->session().refresh();
    }

    static std::size_t drawn_steps(TrainPage& page) {
        const auto& series = page.charts().loss().view()->content().series;
        return series.empty() ? 0 : std::get<LineSeries>(series.front()).x.size();
    }

    std::string header_text() {
        QStringList texts;
        for (const QLabel* label : find<QWidget>("run-header")->findChildren<QLabel*>())
            if (label->isVisible())
                texts << label->text();
        return texts.join(u'|').replace(QChar::Nbsp, u' ').toStdString();
    }

    RunId run_{};
};

TEST_F(LiveTraining, DrawsItsCurvesAndSaysHowFarItIs) {
    TrainPage& page = begin();
    EXPECT_THAT(header_text(), ::testing::AllOf(HasSubstr("live"), HasSubstr("epoch 1 of 3"),
                                                HasSubstr("step 4"), HasSubstr("rate 0.00100"),
                                                HasSubstr("640 schedules/s"), HasSubstr("95.4 MiB")));
    ASSERT_TRUE(wait_until([&] { return header_text().find("left") != std::string::npos; }));
    EXPECT_TRUE(page.header().findChild<QProgressBar*>()->isVisible());
    EXPECT_EQ(names_of(page.charts().loss()),
              (QStringList{QStringLiteral("training"), QStringLiteral("validation")}));
    EXPECT_FALSE(page.charts().metric(0).view()->content().empty()) << "pairs in the right order";
    EXPECT_EQ(names_of(page.charts().explained().chart()),
              (QStringList{QStringLiteral("physics: the simulator alone"),
                           QStringLiteral("added by learning"), QStringLiteral("taken by learning")}));
    EXPECT_THAT(find<QLabel>("explained-order-sentence")->text().toStdString(),
                HasSubstr("learning takes 5.0 points away"));
    std::ofstream(folder_ / "gate") << "go on";
    ASSERT_TRUE(wait_until([&] { return drawn_steps(page) == 8; }, 30));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 30));
    EXPECT_FALSE(page.header().findChild<QProgressBar*>()->isVisible());
}

TEST_F(LiveTraining, BothPlotsTakeTurnsInALowWindowAndLieOverNothing) {
    window().resize(940, 500);
    TrainPage& page = begin();
    TrainingCharts& charts = page.charts();
    const auto* const sentence = find<QLabel>("explained-order-sentence");
    auto* const plot = find<QComboBox>("training-plot");
    ASSERT_TRUE(wait_until([&] { return charts.explained().has_series() && plot->isVisible(); }));
    settle_layout();
    EXPECT_TRUE(charts.loss().isVisible());
    EXPECT_FALSE(sentence->isVisible());
    EXPECT_GE(charts.loss().height(), 0.4 * page.height());
    plot->setCurrentIndex(1);
    settle_layout();
    EXPECT_FALSE(charts.loss().isVisible());
    ASSERT_TRUE(sentence->isVisible());
    EXPECT_GE(sentence->height(), sentence->heightForWidth(sentence->width()));
    EXPECT_GE(charts.explained().chart().y(), sentence->geometry().bottom());
    EXPECT_GE(charts.explained().chart().height(), 100);
    window().resize(1280, 1000);
    ASSERT_TRUE(wait_until([&] { return charts.loss().isVisible() && sentence->isVisible(); }))
        << "there is room for both";
    EXPECT_FALSE(plot->isVisible());
    EXPECT_GE(charts.explained().y(), charts.loss().geometry().bottom());
    std::ofstream(folder_ / "gate") << "go on";
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 30));
}

TEST_F(LiveTraining, CanBePausedAndGoesOn) {
    begin();
    click(find<QPushButton>("pause-training"));
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().front().state == JobState::Paused; }, 30));
    EXPECT_THAT(find<QPushButton>("pause-training")->text().toStdString(), HasSubstr("ume"));
    std::ofstream(folder_ / "gate") << "go on";
    click(find<QPushButton>("pause-training"));
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().front().state == JobState::Finished; }, 30));
    EXPECT_EQ(program_->jobs().jobs().front().runs, 2);
}

TEST_F(LiveTraining, IsCalledByTheSameWordInTheTableAsAboveIt) {
    TrainPage& page = begin();
    EXPECT_THAT(page.table().displayed_as_csv().toStdString(), HasSubstr("running"));
    click(find<QPushButton>("pause-training"));
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().front().state == JobState::Paused; }, 30));
    end_in_store();
    ASSERT_TRUE(wait_until([&] { return page.runs_model().row(0).run.state == RunState::Stopped; }));
    EXPECT_THAT(page.table().displayed_as_csv().toStdString(), HasSubstr("paused"));
    EXPECT_EQ(page.header().findChild<Chip*>()->text(), QStringLiteral("paused"));
}

/// Who clicks twice must not decide about the run by the second click.
TEST_F(LiveTraining, WhatIsAskedOnceItHasEndedStandsElsewhereThanPauseAndStop) {
    TrainPage& page = begin();
    const auto place_of = [&](const QPushButton* button) {
        return QRect(button->mapTo(&page.header(), QPoint()), button->size());
    };
    const QRect pause = place_of(find<QPushButton>("pause-training"));
    const QRect stop = place_of(find<QPushButton>("stop-training"));
    bool asks = true;
    QString word;
    QObject::connect(&program_->jobs(), &JobService::job_finished, &page, [&] {
        asks = find<QPushButton>("keep-model")->isVisible();
        word = page.header().findChild<Chip*>()->text();
    });
    click(find<QPushButton>("stop-training"));
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().front().state == JobState::Stopped; }, 30));
    EXPECT_FALSE(asks) << "what it wrote is not read yet";
    EXPECT_EQ(word, QStringLiteral("stopped")) << "not interrupted";
    end_in_store();
    ASSERT_TRUE(wait_until([&] { return find<QPushButton>("keep-model")->isVisible(); }));
    settle_layout();
    for (const QPushButton* button : page.header().findChildren<QPushButton*>()) {
        const bool is_in_the_way =
            button->isVisible() && (place_of(button).intersects(pause) || place_of(button).intersects(stop));
        EXPECT_FALSE(is_in_the_way) << button->text().toStdString();
    }
}

/// Another program goes on with what was stopped here, and is killed then.
TEST_F(LiveTraining, WhatAnotherProgramGoesOnWithIsNotAskedAbout) {
    TrainPage& page = begin();
    click(find<QPushButton>("stop-training"));
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().front().state == JobState::Stopped; }, 30));
    end_in_store();
    ASSERT_TRUE(wait_until([&] { return find<QPushButton>("discard-run")->isVisible(); }));
    const auto word = [&] { return page.header().findChild<Chip*>()->text().toStdString(); };
    auto workspace = Workspace::open(path("w.sparsight").toStdString());
    ASSERT_TRUE(resume_run(*workspace, run_).has_value());
    {
        const auto hold = RunHold::take(*workspace, run_); // this process stands for it
        ASSERT_TRUE(hold.has_value());
        program_->session().refresh();
        ASSERT_TRUE(wait_until([&] { return page.runs_model().row(0).run.worker != 0; }));
        EXPECT_FALSE(find<QPushButton>("discard-run")->isVisible());
        EXPECT_EQ(word(), "running");
        EXPECT_THAT(page.table().displayed_as_csv().toStdString(), HasSubstr("running"));
    }
    program_->session().refresh();
    ASSERT_TRUE(wait_until([&] { return page.runs_model().row(0).run.worker == 0; }));
    EXPECT_EQ(word(), "interrupted");
    EXPECT_THAT(page.table().displayed_as_csv().toStdString(), HasSubstr("interrupted"));
    EXPECT_TRUE(find<QPushButton>("discard-run")->isVisible());
}

TEST_F(LiveTraining, OneThatWaitsIsLookedAtUntilTheUserChoosesARun) {
    make_measured_workspace();
    add_run(first_run);
    add_run(second_run);
    TrainPage& page = open_page(path("w.sparsight"));
    use_worker("exec sleep 60\n");
    const auto measuring = program_->jobs().start(
        JobDescription{JobKind::Collect, QStringLiteral("Measure"), path("w.sparsight"), {}, {}});
    ASSERT_TRUE(measuring.has_value());
    click(find<QPushButton>("start-training"));
    ASSERT_THAT(header_text(), HasSubstr("Waits until"));
    const QModelIndex current = page.table().view()->currentIndex();
    QTest::mouseClick(page.table().view()->viewport(), Qt::LeftButton, {},
                      page.table().view()->visualRect(current).center());
    EXPECT_THAT(header_text(), HasSubstr("second")) << "also the row that was current before";
    find<QDoubleSpinBox>("epochs")->setValue(3);
    click(find<QPushButton>("start-training"));
    ASSERT_THAT(header_text(), HasSubstr("Waits until"));
    page.table().select_source_row(1);
    EXPECT_THAT(header_text(), HasSubstr("first"));
    for (const Job& job : program_->jobs().jobs())
        if (job.state == JobState::Waiting)
            program_->jobs().stop(job.id);
    program_->jobs().kill(*measuring);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 30));
}

TEST_F(LiveTraining, CanBeStopped) {
    begin();
    click(find<QPushButton>("stop-training"));
    ASSERT_TRUE(wait_until([&] { return program_->jobs().jobs().front().state == JobState::Stopped; }, 30));
    EXPECT_TRUE(find<QPushButton>("stop-training")->isHidden());
    EXPECT_TRUE(find<QPushButton>("start-training")->isEnabled()) << "and started again";
}

/// The trainer itself, from the button to the model.
TEST_F(TrainTest, TheRealTrainerIsFollowedToItsModel) {
    const std::filesystem::path worker(SPARSIGHT_CLI);
    if (!std::filesystem::exists(worker.parent_path() / "sparsight-learn"))
        GTEST_SKIP() << "sparsight-learn is not built";
    TrainPage& page = open_page(make_measured_workspace(12));
    find<QDoubleSpinBox>("epochs")->setValue(3);
    click(find<QPushButton>("start-training"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    const Job job = program_->jobs().jobs().front();
    EXPECT_EQ(job.state, JobState::Finished) << job.error.toStdString();
    ASSERT_TRUE(wait_until([&] {
        return page.runs_model().rowCount() == 1 && page.runs_model().row(0).run.has_model &&
               page_is_settled();
    })) << "its model is in the workspace";
    EXPECT_EQ(page.runs_model().row(0).run.epochs, 3);
    EXPECT_FALSE(page.charts().loss().view()->content().empty());
    EXPECT_FALSE(find<QPushButton>("keep-model")->isVisible()) << "there is nothing to decide";
    const TrainingRun& run = page.runs_model().row(0).run;
    EXPECT_EQ(program_->selection().current().model, run.name);
    EXPECT_GT(run.workloads, 0) << "that were learned from";
    EXPECT_GT(run.test_workloads, 0);
    const auto* verdict = find<QLabel>("baseline-verdict");
    EXPECT_TRUE(verdict->isVisible());
    EXPECT_THAT(verdict->text().toStdString(), HasSubstr("oosted trees")) << "who is ahead";
}

TEST_F(TrainTest, TheQuickDemoMakesAModelWithoutMeasurements) {
    const std::filesystem::path worker(SPARSIGHT_CLI);
    if (!std::filesystem::exists(worker.parent_path() / "sparsight-learn"))
        GTEST_SKIP() << "sparsight-learn is not built";
    TrainPage& page = open_page(make_unmeasured_workspace(8));
    find<QDoubleSpinBox>("epochs")->setValue(1);
    click(find<QPushButton>("start-training"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    const Job job = program_->jobs().jobs().front();
    EXPECT_EQ(job.state, JobState::Finished) << job.error.toStdString();
    ASSERT_TRUE(wait_until([&] {
        return page.runs_model().rowCount() == 1 && page.runs_model().row(0).run.has_model &&
               page_is_settled();
    }));
    EXPECT_EQ(page.runs_model().row(0).run.method, QStringLiteral("fomaml"));
}

TEST_F(TrainTest, TreesAreDrawnRoundByRound) {
    const std::filesystem::path worker(SPARSIGHT_CLI);
    if (!std::filesystem::exists(worker.parent_path() / "sparsight-learn"))
        GTEST_SKIP() << "sparsight-learn is not built";
    TrainPage& page = open_page(make_measured_workspace(12));
    auto* architecture = find<QComboBox>("architecture");
    architecture->setCurrentIndex(architecture->findData(QStringLiteral("trees")));
    click(find<QPushButton>("start-training"));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
    ASSERT_TRUE(wait_until([&] {
        return page.runs_model().rowCount() == 1 && page.runs_model().row(0).run.has_model &&
               page_is_settled();
    }));
    ASSERT_TRUE(wait_until([&] { return names_of(page.charts().loss()).size() == 2; }))
        << "training and validation";
    EXPECT_EQ(page.charts().loss().view()->content().x.title, QStringLiteral("round"));
    EXPECT_EQ(page.runs_model().row(0).run.epochs, 300);
    EXPECT_TRUE(page.runs_model().row(0).run.accuracy.has_value());
    EXPECT_THAT(find<QLabel>("run-facts")->text().toStdString(),
                ::testing::AllOf(HasSubstr("Boosted trees"), HasSubstr("300 rounds")))
        << "a number stays with its unit";
    EXPECT_FALSE(find<QLabel>("baseline-verdict")->isVisible()) << "they are the baseline";
}

TEST_F(TrainTest, ANewModelIsSelectedUnlessTheUserUsesAnotherMeanwhile) {
    const std::filesystem::path worker(SPARSIGHT_CLI);
    if (!std::filesystem::exists(worker.parent_path() / "sparsight-learn"))
        GTEST_SKIP() << "sparsight-learn is not built";
    make_measured_workspace(12);
    const RunId earlier = add_run(first_run);
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        for (const char* name : {"first", "other"})
            ASSERT_TRUE(add_model(*workspace, {name, earlier, std::nullopt, R"({"operator":"spmm"})"}, {})
                            .has_value());
    }
    TrainPage& page = open_page(path("w.sparsight"));
    program_->selection().select_model(QStringLiteral("first"));
    const auto train = [&](int runs) {
        find<QDoubleSpinBox>("epochs")->setValue(1);
        click(find<QPushButton>("start-training"));
        if (runs == 3)
            program_->selection().select_model(QStringLiteral("other"));
        if (runs == 4) { // it fails, since this model has no weights; that it was asked is what counts
            const auto search = program_->jobs().start(SearchJob{.workspace = path("w.sparsight"),
                                                                 .model = QStringLiteral("other"),
                                                                 .workloads = {QStringLiteral("m0")}});
            EXPECT_TRUE(search.has_value());
        }
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, 120));
        ASSERT_TRUE(wait_until([&] {
            return page.runs_model().rowCount() == runs && page.runs_model().row(0).run.has_model &&
                   page_is_settled();
        }));
    };
    train(2);
    const QString made = page.runs_model().row(0).run.name;
    EXPECT_TRUE(wait_until([&] { return program_->selection().current().model == made; }, 10));
    for (const int runs : {3, 4}) {
        train(runs);
        EXPECT_EQ(program_->selection().current().model, QStringLiteral("other")) << runs;
    }
}

TEST_F(TrainTest, ARunThatWasStoppedIsKeptOrDiscarded) {
    make_measured_workspace();
    add_run(first_run);
    const RunId stopped = add_run(second_run, RunState::Stopped);
    TrainPage& page = open_page(path("w.sparsight"));
    EXPECT_EQ(page.runs_model().row(0).run.id, stopped) << "the newest is looked at";
    EXPECT_TRUE(find<QPushButton>("keep-model")->isVisible());
    click(find<QPushButton>("discard-run"));
    click(find<QMessageBox>("discard-question")->button(QMessageBox::Cancel));
    ASSERT_TRUE(wait_until([&] { return page.findChild<QMessageBox*>() == nullptr; }));
    EXPECT_EQ(page.runs_model().rowCount(), 2) << "nobody said yes";
    discard();
    ASSERT_TRUE(wait_until([&] { return page.runs_model().rowCount() == 1; }));
    EXPECT_EQ(page.table().selected_source_rows(), std::vector<int>{0}) << "the next one is looked at";
    ASSERT_TRUE(wait_until([&] { return !page.charts().loss().view()->content().empty(); }));
    EXPECT_FALSE(find<QPushButton>("discard-run")->isVisible()) << "the first one is finished";
}

TEST_F(TrainTest, ARunThatAnotherProgramHasTakenMeanwhileIsNotDiscarded) {
    make_measured_workspace();
    const RunId stopped = add_run(second_run, RunState::Stopped);
    TrainPage& page = open_page(path("w.sparsight"));
    click(find<QPushButton>("discard-run"));
    auto workspace = Workspace::open(path("w.sparsight").toStdString());
    const auto hold = RunHold::take(*workspace, stopped); // this process stands for one in a terminal
    ASSERT_TRUE(hold.has_value()) << hold.error().text();
    click(find<QPushButton>("really-discard"));
    ASSERT_TRUE(wait_until([&] { return !window().notices().texts().isEmpty(); }));
    EXPECT_THAT(window().notices().texts().join(u'\n').toStdString(),
                ::testing::AllOf(HasSubstr("second can’t be discarded"),
                                 HasSubstr(fmt::format("worked at by process {}", ::getpid()))));
    ASSERT_TRUE(wait_until([&] { return !find<QPushButton>("discard-run")->isVisible(); }));
    EXPECT_EQ(page.runs_model().rowCount(), 1);
}

TEST_F(TrainTest, SeveralRunsLieOverOneAnotherWithTheirSettingsCompared) {
    make_measured_workspace();
    add_run(first_run);
    add_run(second_run);
    TrainPage& page = open_page(path("w.sparsight"));
    const QAbstractItemModelTester tester(&page.runs_model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_EQ(page.runs_model().rowCount(), 2);
    page.table().select_all();
    ASSERT_TRUE(wait_until([&] { return names_of(page.charts().loss()).size() == 4; }));
    EXPECT_EQ(names_of(page.charts().loss()),
              (QStringList{QStringLiteral("second"), QStringLiteral("second · validation"),
                           QStringLiteral("first"), QStringLiteral("first · validation")}));
    EXPECT_TRUE(page.runs_model().row(0).colour.has_value());
    EXPECT_NE(page.runs_model().row(0).colour, page.runs_model().row(1).colour);
    page.findChild<QTabWidget*>()->setCurrentIndex(1);
    const auto* differences = qobject_cast<DataTable*>(page.findChild<QTabWidget*>()->currentWidget());
    ASSERT_NE(differences, nullptr);
    const std::string csv = differences->displayed_as_csv().toStdString();
    EXPECT_THAT(csv, HasSubstr("Method,Supervised,FOMAML"));
    page.table().select_source_rows({1});
    ASSERT_TRUE(wait_until([&] { return names_of(page.charts().loss()).size() == 2; }));
    EXPECT_FALSE(page.runs_model().row(0).colour.has_value());
}

TEST_F(TrainTest, TheAxisAndTheMachinesCanBeChosen) {
    make_measured_workspace();
    add_run(first_run);
    TrainPage& page = open_page(path("w.sparsight"));
    auto* axis = find<QComboBox>("axis");
    axis->setCurrentIndex(axis->findText(QStringLiteral("axis: training time")));
    const ChartContent& content = page.charts().loss().view()->content();
    EXPECT_EQ(content.x.unit, QStringLiteral("min"));
    EXPECT_NEAR(std::get<LineSeries>(content.series.front()).x.back(), 8.0 / 60, 1e-9);
    auto* validation = find<QComboBox>("validation");
    validation->setCurrentIndex(validation->findText(QStringLiteral("each machine")));
    EXPECT_EQ(names_of(page.charts().loss()),
              (QStringList{QStringLiteral("training"), QStringLiteral("laptop"), QStringLiteral("server")}));
    find<QCheckBox>("log")->setChecked(true);
    EXPECT_TRUE(content.y.logarithmic);
    auto* metric = find<QComboBox>("metric-1");
    metric->setCurrentIndex(metric->findText(QStringLiteral("Rate")));
    EXPECT_EQ(page.charts().metric(1).view()->content().y.title, QStringLiteral("Rate"));
}

TEST_F(TrainTest, TheSettingsOfARunCanBeUsedAgain) {
    make_measured_workspace();
    add_run(second_run);
    TrainPage& page = open_page(path("w.sparsight"));
    click(find<QPushButton>("use-settings"));
    EXPECT_EQ(page.form().request().method, QStringLiteral("supervised"));
    EXPECT_EQ(find<QDoubleSpinBox>("rate")->value(), 0.001);
}

TEST(RunWords, SayHowARunEnded) {
    TrainingRun run;
    run.state = RunState::Running;
    bool is_outdated = false;
    const auto word = [&](std::optional<JobState> job) {
        return state_text(RunRow{.run = run, .job = job, .is_outdated = is_outdated}).toStdString();
    };
    EXPECT_EQ(word(JobState::Running), "running");
    EXPECT_EQ(word(JobState::Paused), "paused");
    is_outdated = true;
    EXPECT_EQ(word(JobState::Finished), "finished") << "what it wrote last is being read";
    is_outdated = false;
    EXPECT_EQ(word(JobState::Stopped), "interrupted") << "somebody else went on with it";
    EXPECT_EQ(word(JobState::Failed), "interrupted");
    EXPECT_EQ(word(std::nullopt), "interrupted");
    run.worker = 17;
    EXPECT_EQ(word(std::nullopt), "running") << "though no job of this window is at it";
    EXPECT_EQ(word(JobState::Stopped), "running") << "though ours has ended";
    run.state = RunState::Finished;
    EXPECT_TRUE(ending_text(run).isEmpty());
    run.message = QStringLiteral("stopped");
    run.epochs = 3;
    EXPECT_EQ(word(JobState::Finished), "stopped, kept");
    EXPECT_EQ(ending_text(run), QStringLiteral("stopped after epoch 3, and the best until then kept"));
    run.message = QStringLiteral("stopped early");
    EXPECT_EQ(word(std::nullopt), "finished");
    EXPECT_THAT(ending_text(run).toStdString(), HasSubstr("validation loss stopped falling"));
}

TEST_F(TrainTest, TheTableHasNamesOfMachinesAndIsNotCutInASmallWindow) {
    make_measured_workspace();
    add_run(R"({"name":"statistics-supervised-2","method":"supervised","architecture":"statistics",
        "machines":["recorded:laptop","gone"],"epochs":4})");
    window().resize(1280, 800);
    TrainPage& page = open_page(path("w.sparsight"));
    const QAbstractItemModel& model = page.runs_model();
    EXPECT_EQ(model.index(0, RunsModel::Machines).data().toString().toStdString(), "laptop, gone");
    const TableView& view = *page.table().view();
    ASSERT_TRUE(wait_until([&] { return view.horizontalHeader()->length() <= view.viewport()->width(); }));
    EXPECT_LT(view.columnWidth(RunsModel::Shown), 50) << "a mark needs no room";
    for (const int column : {RunsModel::Name, RunsModel::State}) {
        const int needed = view.fontMetrics().horizontalAdvance(model.index(0, column).data().toString());
        EXPECT_GE(view.columnWidth(column), needed) << column;
    }
}

TEST_F(TrainTest, TheLossHasMostOfThePage) {
    make_measured_workspace();
    add_run(first_run);
    for (const QSize size : {QSize(1280, 800), QSize(940, 500)}) {
        window().resize(size);
        TrainPage& page = open_page(path("w.sparsight"));
        ASSERT_TRUE(wait_until([&] { return window().size() == size; }));
        QTest::qWait(50);
        EXPECT_GE(page.charts().loss().height(), 0.4 * page.height()) << size.height();
        for (const std::size_t metric : {0U, 1U}) {
            EXPECT_EQ(page.charts().metric(metric).isVisible(), size.height() == 800)
                << "where there is room";
            EXPECT_GT(page.charts().loss().width(), page.charts().metric(metric).width());
        }
    }
}

TEST_F(TrainTest, TheBestEpochIsMarkedAndTheMouseReadsAllRuns) {
    make_measured_workspace();
    add_run(first_run);
    add_run(second_run);
    TrainPage& page = open_page(path("w.sparsight"));
    page.table().select_source_rows({0, 1});
    ASSERT_TRUE(wait_until([&] { return names_of(page.charts().loss()).size() == 4; }));
    const ChartView& view = *page.charts().loss().view();
    const auto* const marks = std::get_if<ScatterSeries>(&view.content().series.back());
    ASSERT_NE(marks, nullptr);
    EXPECT_EQ(marks->points.size(), 2U) << "of each run";
    QTest::mouseMove(view.viewport(), view.chart_layout().transform.area.center().toPoint());
    ASSERT_TRUE(view.hover().has_value());
    QStringList texts;
    for (const HoverLine& line : view.hover()->lines)
        texts << line.text;
    for (const char* run : {"first:", "second:", "first · validation:", "second · validation:"})
        EXPECT_THAT(texts.join(u'|').toStdString(), HasSubstr(run));
}

TEST_F(TrainTest, TheAxisMayBeTheTimeOfDay) {
    make_measured_workspace();
    const RunId id = add_run(first_run);
    TrainPage& page = open_page(path("w.sparsight"));
    auto* axis = find<QComboBox>("axis");
    axis->setCurrentIndex(axis->findText(QStringLiteral("axis: time of day")));
    const ChartContent& content = page.charts().loss().view()->content();
    EXPECT_EQ(content.x.title, QStringLiteral("time of day"));
    const auto started = static_cast<double>(program_->runs().run(id)->started.toSecsSinceEpoch());
    EXPECT_NEAR(std::get<LineSeries>(content.series.front()).x.back(), started + 8, 1e-3);
}

TEST_F(TrainTest, TheChartsBelowTheLossBeginWithMetricsThatMove) {
    make_measured_workspace();
    add_run(first_run);
    TrainPage& page = open_page(path("w.sparsight"));
    EXPECT_EQ(page.charts().metric(0).view()->content().y.title, QStringLiteral("Pairs in the right order"));
    EXPECT_EQ(page.charts().metric(1).view()->content().y.title, QStringLiteral("Regret of the first"));
    EXPECT_TRUE(page.charts().metric(0).view()->content().y.is_named_beside) << "the choice above says it";
}

TEST_F(TrainTest, ARunWithAModelSelectsIt) {
    make_measured_workspace();
    const RunId run = add_run(first_run);
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(add_model(*workspace, {"first", run, std::nullopt, "{}"}, {}).has_value());
    }
    add_run(second_run);
    TrainPage& page = open_page(path("w.sparsight"));
    page.table().select_source_row(1);
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("first"));
}

TEST_F(TrainTest, SaysHowLongItTakesAndAsksBeforeALongTraining) {
    make_measured_workspace();
    const RunId run = add_run(R"({"name":"before","architecture":"statistics","method":"supervised",
                                  "epochs":4,"data":{"laptop":{},"server":{}}})");
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        ASSERT_TRUE(add_model(*workspace,
                              {"before", run, std::nullopt,
                               R"({"architecture":"statistics","input":{"operator":"spmm"},
                                   "training":{"method":"supervised","matrices":["m0","m1","m2"]}})"},
                              {})
                        .has_value());
    }
    use_worker("exec sleep 60\n");
    open_page(path("w.sparsight"));
    auto* hint = find<QLabel>("start-refusal");
    auto* start = find<QPushButton>("start-training");
    EXPECT_THAT(hint->text().toStdString(), HasSubstr("estimated from the run “before”"));
    find<QDoubleSpinBox>("epochs")->setValue(100'000);
    click(start);
    EXPECT_TRUE(no_job_is_under_way()) << "it asks first";
    QPointer question = window().findChild<QMessageBox*>(QStringLiteral("long-job-question"));
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->text().toStdString(), HasSubstr("estimated from the run “before”"));
    click(question->button(QMessageBox::Cancel));
    EXPECT_TRUE(no_job_is_under_way());
    ASSERT_TRUE(wait_until([&] { return question == nullptr; }));
    click(start);
    click(window().findChild<QPushButton*>(QStringLiteral("start-long-job")));
    EXPECT_FALSE(no_job_is_under_way());
    program_->jobs().kill(program_->jobs().jobs().front().id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
}

/// A hundred thousand steps are drawn with as many points as there are pixels for.
TEST_F(TrainTest, AHundredThousandStepsAreDecimated) {
    make_measured_workspace();
    const RunId run = add_run(first_run, RunState::Finished, 10'000);
    TrainPage& page = open_page(path("w.sparsight"));
    ASSERT_TRUE(wait_until([&] { return names_of(page.charts().loss()).size() == 2; }, 30));
    (void)run;
    std::size_t drawn = 0;
    for (const QXYSeries* series : page.charts().loss().view()->drawn_series())
        drawn = std::max(drawn, static_cast<std::size_t>(series->count()));
    EXPECT_GT(drawn, 50U);
    EXPECT_LT(drawn, 8U * static_cast<std::size_t>(page.width()));
}

TEST_F(TrainTest, ItsLayoutIsRestored) {
    make_measured_workspace();
    add_run(first_run);
    TrainPage& page = open_page(path("w.sparsight"));
    auto* axis = find<QComboBox>("axis");
    axis->setCurrentIndex(1);
    const QByteArray state = page.layout_state();
    axis->setCurrentIndex(0);
    page.restore_layout(state);
    EXPECT_EQ(axis->currentIndex(), 1);
    page.restore_layout(QByteArray("damaged"));
    EXPECT_EQ(axis->currentIndex(), 1);
}

/// Pictures to look at: SPARSIGHT_SCREENSHOTS names the folder.
TEST_F(TrainTest, ItsPictureCanBeTaken) {
    make_measured_workspace();
    add_run(first_run);
    add_run(second_run);
    open_page(path("w.sparsight"));
    const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS", path(""));
    EXPECT_TRUE(take_screenshot(window(), QStringLiteral("train"), folder + QStringLiteral("/train.png"),
                                std::chrono::seconds(20))
                    .has_value());
}

} // namespace

// What the pages of learning look at by themselves.
namespace {

constexpr const char* earlier_run = R"({"name":"earlier","method":"fomaml","architecture":"statistics",
    "machines":["laptop"],"epochs":4})";

class LearningPageTest : public TrainTest {
protected:
    TrainPage& open_training() {
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("train"));
        EXPECT_TRUE(wait_until([&] { return window().current_page() != nullptr && page_is_settled(); }));
        return *qobject_cast<TrainPage*>(window().current_page());
    }
};

TEST_F(LearningPageTest, ATrainingThatBeginsIsNotShownWithTheCurvesOfAnother) {
    make_measured_workspace();
    add_run(earlier_run);
    TrainPage& page = open_training();
    ASSERT_TRUE(wait_until([&] { return !names_of(page.charts().loss()).isEmpty(); }));
    use_worker("exec sleep 60\n"); // it has told of no run yet
    click(find<QPushButton>("start-training"));
    EXPECT_TRUE(wait_until([&] { return names_of(page.charts().loss()).isEmpty(); }, 10));
    program_->jobs().kill(program_->jobs().jobs().front().id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_TRUE(wait_until([&] { return !names_of(page.charts().loss()).isEmpty(); }, 10));
}

TEST_F(LearningPageTest, TheModelOfTheRunThatIsLookedAtIsSelectedWhereNoOtherIs) {
    make_measured_workspace();
    const RunId run = add_run(earlier_run);
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        for (const char* name : {"other", "earlier"})
            ASSERT_TRUE(
                add_model(*workspace, {name, run, std::nullopt, R"({"operator":"spmm"})"}, {}).has_value());
    }
    open_training();
    ASSERT_TRUE(
        wait_until([&] { return program_->selection().current().model == QStringLiteral("earlier"); }, 10));
    EXPECT_FALSE(
        window().findChild<ModelCard*>()->findChild<QLabel*>()->text().contains(QStringLiteral("None")));
    program_->selection().select_model(QStringLiteral("other"));
    program_->session().refresh();
    window().show_page(QStringLiteral("matrices"));
    window().show_page(QStringLiteral("train"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("other")) << "which the user has chosen";
}

} // namespace
} // namespace sparsight::testing
