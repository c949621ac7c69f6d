#include "app/gui/jobs/jobs_fixture.h"
#include "gui/jobs/views/job_list.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_rows.h"
#include "gui/jobs/views/job_strip.h"
#include "jobs_fixture.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <fmt/format.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

class JobListTest : public JobsTest {
protected:
    static std::vector<std::string> titles(const QAbstractItemModel& model) {
        std::vector<std::string> titles;
        for (int row = 0; row < model.rowCount(); ++row)
            titles.push_back(model.index(row, 0).data().toString().toStdString());
        return titles;
    }
    static std::string detail(const QAbstractItemModel& model, int row) {
        return model.index(row, 0).data(JobModel::DetailRole).toString().toStdString();
    }
};

TEST_F(JobListTest, JobsOfTheOpenWorkspaceComeFirstAndTheOthersUnderItsName) {
    JobService service(options());
    const auto add = [&](const QString& title, const QString& workspace) {
        return *service.start(JobDescription{.kind = JobKind::Collect,
                                             .title = title,
                                             .workspace = workspace,
                                             .arguments = {QStringLiteral("--version")}});
    };
    const QString here = QStringLiteral("/tmp/here.sparsight");
    const QString there = QStringLiteral("/tmp/there.sparsight");
    service.hold_queue(true);
    add(QStringLiteral("there 1"), there);
    const JobId second = add(QStringLiteral("here 1"), here);
    add(QStringLiteral("there 2"), there);
    JobModel model(service);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_workspace(here);
    EXPECT_EQ(titles(model), (std::vector<std::string>{"here 1", "there 1", "there 2"}));
    const auto heading = [&](int row) {
        return model.index(row, 0).data(JobModel::HeadingRole).toString().toStdString();
    };
    EXPECT_EQ(heading(0), "");
    EXPECT_EQ(heading(1), "Workspace there");
    EXPECT_EQ(heading(2), "");
    add(QStringLiteral("here 2"), here);
    EXPECT_EQ(titles(model), (std::vector<std::string>{"here 1", "here 2", "there 1", "there 2"}));
    model.set_workspace(there);
    EXPECT_EQ(titles(model), (std::vector<std::string>{"there 1", "there 2", "here 1", "here 2"}));
    EXPECT_EQ(heading(2), "Workspace here");
    EXPECT_THAT(detail(model, model.index_of(second).row()), HasSubstr("in the workspace there"))
        << "whom it waits for";
    JobStrip strip(service);
    strip.set_workspace(here);
    EXPECT_EQ(strip.title().toStdString(), "here 1");
    strip.set_workspace(QStringLiteral("/tmp/third.sparsight"));
    EXPECT_EQ(strip.title().toStdString(), "there 1 (workspace there)");
}

TEST_F(JobListTest, RowsFollowTheJobsInTheirOrder) {
    JobService service(options());
    JobModel model(service);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    Heard heard(service);
    const auto first = *service.start(long_collection());
    CollectSchedulesJob second_request = small_collection(1);
    second_request.workloads = {QStringLiteral("arrow")};
    const auto second = *service.start(second_request);
    const auto third = *service.start(small_collection(1));
    EXPECT_EQ(titles(model), (std::vector<std::string>{"Measure 2 matrices (SpMM)", "Measure arrow (SpMM)",
                                                       "Measure banded (SpMM)"}));
    EXPECT_THAT(detail(model, 1), HasSubstr("spoil each other"));
    service.move_waiting(third, 0);
    EXPECT_EQ(titles(model), (std::vector<std::string>{"Measure 2 matrices (SpMM)", "Measure banded (SpMM)",
                                                       "Measure arrow (SpMM)"}));
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 1; }));
    EXPECT_THAT(detail(model, 0), HasSubstr(" of 40"));
    service.stop(first);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(titles(model).size(), 3);
    EXPECT_EQ(model.index_of(first).row(), 2) << "the newest first";
    service.remove(first);
    EXPECT_EQ(titles(model).size(), 2);
    EXPECT_FALSE(model.index_of(first).isValid());
}

TEST_F(JobListTest, ButtonsActOnTheChosenJobAndSayWhyTheyCannot) {
    JobService service(options());
    JobList list(service);
    list.show();
    Heard heard(service);
    EXPECT_FALSE(list.button(JobAction::Stop).isEnabled());
    EXPECT_EQ(list.button(JobAction::Stop).toolTip(), QStringLiteral("No job is chosen"));
    const auto first = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    const auto third = *service.start(small_collection(2));
    EXPECT_EQ(list.chosen()->id, first);
    EXPECT_FALSE(list.button(JobAction::Kill).isEnabled());
    EXPECT_THAT(list.button(JobAction::Kill).toolTip().toStdString(), HasSubstr("Stop it first"));

    list.choose(third);
    EXPECT_TRUE(list.earlier_button().isEnabled());
    EXPECT_FALSE(list.later_button().isEnabled());
    QTest::mouseClick(&list.earlier_button(), Qt::LeftButton);
    EXPECT_EQ(service.jobs()[1].id, third);
    EXPECT_EQ(list.chosen()->id, third) << "the choice goes with its job";
    QTest::mouseClick(&list.button(JobAction::Remove), Qt::LeftButton);
    EXPECT_FALSE(service.job(third));

    list.choose(first);
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 1; }));
    QTest::mouseClick(&list.button(JobAction::Stop), Qt::LeftButton);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(list.chosen()->id, first);
    EXPECT_TRUE(list.button(JobAction::Restart).isEnabled());

    JobLog* log = nullptr;
    QObject::connect(&list, &JobList::log_opened, &heard.context, [&](JobLog* opened) { log = opened; });
    QTest::mouseClick(&list.log_button(), Qt::LeftButton);
    ASSERT_NE(log, nullptr);
    EXPECT_THAT(log->events().toStdString(), HasSubstr("\"step\""));
    EXPECT_THAT(log->messages().toStdString(),
                ::testing::AnyOf(std::string(), HasSubstr("another program measures")))
        << "no more than that another test had its turn to measure";
}

TEST_F(JobListTest, AnErrorIsToldInFull) {
    JobService service(options_with_worker("echo '{\"event\":\"error\",\"file\":\"w\",\"line\":null,"
                                           "\"error\":\"the disk is full\"}'"));
    JobList list(service);
    Heard heard(service);
    const auto id = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    bool is_told = false;
    for (const QLabel* label : list.findChildren<QLabel*>())
        is_told = is_told || label->text() == QStringLiteral("w: the disk is full");
    EXPECT_TRUE(is_told);
}

class JobStripTest : public JobsTest {
protected:
    static constexpr std::chrono::milliseconds notice_time{300};
};

TEST_F(JobStripTest, SaysWhyAMeasurementCameToNothing) {
    JobService service(options_with_worker(
        "echo '{\"event\":\"warning\",\"warning\":\"another program measures; waiting\"}'\n"
        "echo '{\"event\":\"turn\"}'\n"
        "echo '{\"event\":\"warning\",\"warning\":\"it was measuring for the whole time budget\"}'\n"
        "echo '{\"event\":\"start\",\"job\":\"collect\"}'\n"
        "echo '{\"event\":\"end\",\"measured\":0,\"failed\":0,\"seconds\":60,\"complete\":false,"
        "\"stopped\":false}'"));
    JobStrip strip(service, nullptr, std::chrono::hours(1));
    strip.resize(1000, strip.sizeHint().height());
    strip.show();
    JobList list(service);
    list.show();
    Heard heard(service);
    const auto id = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    EXPECT_THAT(strip.status().toStdString(),
                ::testing::EndsWith("to continue · It was measuring for the whole time budget"));
    EXPECT_THAT(strip.status().toStdString(), ::testing::Not(HasSubstr("waiting")));
    const auto labels = list.findChildren<QLabel*>();
    EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->text().endsWith(QStringLiteral("\nIt was measuring for the whole time budget"));
    })) << "the list, too";
}

TEST_F(JobStripTest, ShowsTheRunningJobHowFarItIsAndForAWhileWhatBecameOfIt) {
    JobService service(options());
    JobStrip strip(service, nullptr, notice_time);
    strip.resize(1000, strip.sizeHint().height());
    strip.show();
    EXPECT_EQ(strip.title(), QStringLiteral("No jobs running"));
    EXPECT_FALSE(strip.pause_button().isEnabled());
    EXPECT_EQ(strip.pause_button().toolTip(), QStringLiteral("No jobs running"));
    const int height = strip.sizeHint().height();

    Heard heard(service);
    const auto first = *service.start(small_collection(40));
    EXPECT_EQ(strip.title(), QStringLiteral("Measure banded (SpMM)"));
    EXPECT_TRUE(strip.bar().isVisible());
    EXPECT_EQ(strip.bar().maximum(), 0) << "busy: nothing is known yet";
    EXPECT_LE(strip.sizeHint().height(), height) << "the window does not jump";
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 2; }));
    EXPECT_THAT(strip.status().toStdString(), HasSubstr(" of 41"));
    EXPECT_THAT(strip.status().toStdString(), HasSubstr(" left"));
    EXPECT_GT(strip.bar().value(), 0);
    ASSERT_TRUE(wait_until([&] { return heard.finished[first] == 1; }));
    EXPECT_THAT(strip.status().toStdString(),
                HasSubstr(fmt::format("finished · {} measured", heard.count_steps(first, "measured"))));
    EXPECT_FALSE(strip.bar().isVisible());
    EXPECT_TRUE(wait_until([&] { return strip.title() == QStringLiteral("No jobs running"); }));
}

TEST_F(JobStripTest, PausesResumesAndStopsWithClicks) {
    JobService service(options());
    JobStrip strip(service, nullptr, notice_time);
    strip.resize(1000, strip.sizeHint().height());
    strip.show();
    Heard heard(service);
    const auto id = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    EXPECT_EQ(strip.others(), QStringLiteral("1 waiting"));
    service.remove(second);
    EXPECT_EQ(strip.others(), QStringLiteral("Jobs"));
    ASSERT_TRUE(wait_until([&] { return heard.count(id, "step") >= 1; }));
    QTest::mouseClick(&strip.pause_button(), Qt::LeftButton);
    EXPECT_FALSE(strip.pause_button().isEnabled());
    EXPECT_THAT(strip.pause_button().toolTip().toStdString(), HasSubstr("in flight is being finished"));
    EXPECT_THAT(strip.status().toStdString(), HasSubstr("in flight is being finished"));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    EXPECT_THAT(strip.status().toStdString(), HasSubstr("paused · "));
    EXPECT_EQ(strip.pause_button().accessibleName(), QStringLiteral("Resume the job"));
    QTest::mouseClick(&strip.pause_button(), Qt::LeftButton);
    EXPECT_EQ(state_of(service, id), JobState::Running);
    const int steps = heard.count(id, "step");
    ASSERT_TRUE(wait_until([&] { return heard.count(id, "step") > steps; }));
    QTest::mouseClick(&strip.stop_button(), Qt::LeftButton);
    EXPECT_FALSE(strip.stop_button().isEnabled());
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 2; }));
    EXPECT_THAT(strip.status().toStdString(), HasSubstr("stopped · "));
}

TEST_F(JobStripTest, AFailureStaysUntilTheListWasOpened) {
    JobService service(options_with_worker("exit 3"));
    JobStrip strip(service, nullptr, notice_time);
    strip.resize(1000, strip.sizeHint().height());
    strip.show();
    Heard heard(service);
    const auto id = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    QTest::qWait(2 * static_cast<int>(notice_time.count()));
    EXPECT_THAT(strip.status().toStdString(), HasSubstr("failed · The worker ended unexpectedly"));
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(5, 5));
    EXPECT_TRUE(strip.list_is_open());
    EXPECT_EQ(strip.list().chosen()->id, id);
    EXPECT_EQ(strip.title(), QStringLiteral("No jobs running"));
}

TEST_F(JobStripTest, TheListOpensWithWhatRunsOrElseWithTheNewest) {
    JobService service(options_with_worker("sleep 0.01"));
    Heard heard(service);
    JobStrip strip(service, nullptr, notice_time);
    strip.resize(1000, strip.sizeHint().height());
    strip.show();
    const auto old = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[old] == 1; }));
    strip.open_list();
    EXPECT_EQ(strip.list().chosen()->id, old);
    const auto newer = *service.start(small_collection(1));
    strip.open_list();
    EXPECT_EQ(strip.list().chosen()->id, newer) << "it runs";
    ASSERT_TRUE(wait_until([&] { return heard.finished[newer] == 1; }));
    strip.open_list(); // what has failed was told of by now
    strip.list().choose(old);
    strip.open_list();
    EXPECT_EQ(strip.list().chosen()->id, newer);
}

TEST_F(JobStripTest, ChoosesTheMeasurementOverOthersAndWhatRunsOverWhatRests) {
    const auto job = [](JobKind kind, JobState state) {
        Job made;
        made.id = QUuid::createUuid();
        made.kind = kind;
        made.state = state;
        return made;
    };
    const Job over = job(JobKind::Collect, JobState::Finished);
    const Job waiting = job(JobKind::Collect, JobState::Waiting);
    const Job paused = job(JobKind::Collect, JobState::Paused);
    const Job import = job(JobKind::Import, JobState::Running);
    const Job measuring = job(JobKind::Collect, JobState::Stopping);
    EXPECT_FALSE(foremost_job({}));
    EXPECT_FALSE(foremost_job({over}));
    EXPECT_EQ(foremost_job({waiting, over})->id, waiting.id);
    EXPECT_EQ(foremost_job({waiting, paused})->id, paused.id);
    EXPECT_EQ(foremost_job({import, waiting, paused})->id, import.id);
    EXPECT_EQ(foremost_job({import, measuring, paused})->id, measuring.id);
}

/// Pictures to look at: SPARSIGHT_SCREENSHOTS names the folder.
TEST_F(JobStripTest, LooksAlikeInLightAndDark) {
    const QString pictures = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS");
    const auto failed_worker =
        options_with_worker("echo '{\"event\":\"error\",\"file\":\"/home/me/matrices/web-Google.mtx.gz\","
                            "\"line\":17,\"error\":\"column 12 is outside 1..10\"}'");
    JobService service(failed_worker);
    Heard heard(service);
    const auto failed = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[failed] == 1; }));
    service.set_worker_program(QStringLiteral(SPARSIGHT_CLI));
    const auto done = *service.start(SimulateJob{workspace_file(), QStringLiteral("arrow"), {}, 2});
    ASSERT_TRUE(wait_until([&] { return heard.finished[done] == 1; }));
    const auto running = *service.start(long_collection());
    (void)*service.start(small_collection(3));
    (void)*service.start(ProbeJob{workspace_file()});
    ASSERT_TRUE(wait_until([&] { return heard.count(running, "step") >= 5; }));
    for (const bool dark : {false, true}) {
        apply_theme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
        JobStrip strip(service);
        strip.resize(1100, strip.sizeHint().height());
        strip.show();
        strip.open_list();
        QTest::qWait(50);
        const QImage image = strip.grab().toImage();
        EXPECT_EQ(image.pixelColor(image.width() / 2, 3).lightness() < 128, dark);
        if (pictures.isEmpty())
            continue;
        const QString name = dark ? QStringLiteral("dark") : QStringLiteral("light");
        EXPECT_TRUE(image.save(pictures + QStringLiteral("/job-strip-%1.png").arg(name)));
        EXPECT_TRUE(strip.list().grab().save(pictures + QStringLiteral("/job-list-%1.png").arg(name)));
    }
    for (const Job& job : service.jobs())
        if (job.state == JobState::Waiting)
            service.stop(job.id);
    service.kill(running);
    EXPECT_TRUE(wait_until([&] { return heard.finished[running] == 1; }));
}

namespace {

class JobProgressLineTest : public JobsTest {
protected:
    void show(JobState state, JobProgress progress = {}) {
        Job job;
        job.id = QUuid::createUuid();
        job.state = state;
        job.progress = std::move(progress);
        line_.show_job(job);
    }
    [[nodiscard]] const QPushButton& button(const char* name) const {
        return *line_.findChild<QPushButton*>(QLatin1String(name));
    }

    JobService service_{options()};
    JobProgressLine line_{service_};
};

TEST_F(JobProgressLineTest, AllowsWhatTheServiceAllowsAndSaysWhyNot) {
    show(JobState::Pausing);
    EXPECT_TRUE(button("stop").isEnabled()) << "who has paused may want to stop";
    EXPECT_FALSE(button("pause").isEnabled());
    EXPECT_THAT(button("pause").toolTip().toStdString(), ::testing::HasSubstr("It is being paused"));
    show(JobState::Stopping);
    EXPECT_FALSE(button("stop").isEnabled());
    EXPECT_THAT(button("stop").toolTip().toStdString(), ::testing::HasSubstr("It is being stopped"));
    show(JobState::Paused);
    EXPECT_TRUE(button("pause").isEnabled());
    EXPECT_EQ(button("pause").toolTip(), QStringLiteral("Resume where it was paused"));
    EXPECT_TRUE(button("stop").isEnabled());
}

TEST_F(JobProgressLineTest, TheBarTakesTotalsThatNoIntHolds) {
    constexpr qint64 total = 8'000'000'000;
    show(JobState::Running, {.done = total / 4, .total = total, .what = {}, .seconds_left = {}});
    const auto* bar = line_.findChild<QProgressBar*>();
    EXPECT_EQ(bar->minimum(), 0);
    EXPECT_EQ(4 * bar->value(), bar->maximum());
    EXPECT_GT(bar->maximum(), 0);
}

} // namespace
} // namespace sparsight::testing
