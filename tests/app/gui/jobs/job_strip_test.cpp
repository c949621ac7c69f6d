#include "app/gui/jobs/jobs_fixture.h"
#include "gui/jobs/job_list.h"
#include "gui/jobs/job_strip.h"
#include "widgets/look/theme.h"

#include <QListView>
#include <QProgressBar>
#include <QToolButton>
#include <fmt/format.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

class JobStripTest : public JobsTest {
protected:
    static constexpr std::chrono::milliseconds notice_time{300};
};

TEST_F(JobStripTest, ShowsTheRunningJobHowFarItIsAndForAWhileWhatBecameOfIt) {
    JobService service(options());
    JobStrip strip(service, nullptr, notice_time);
    strip.resize(1000, strip.sizeHint().height());
    strip.show();
    EXPECT_EQ(strip.title(), QStringLiteral("No job runs"));
    EXPECT_FALSE(strip.pause_button().isEnabled());
    EXPECT_EQ(strip.pause_button().toolTip(), QStringLiteral("No job runs"));
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
    EXPECT_TRUE(wait_until([&] { return strip.title() == QStringLiteral("No job runs"); }));
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
    EXPECT_EQ(strip.title(), QStringLiteral("No job runs"));
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

} // namespace sparsight::testing
