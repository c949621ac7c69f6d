#include "gui/jobs/job_progress_line.h"

#include "jobs_fixture.h"

#include <QProgressBar>
#include <QPushButton>

namespace sparsight::testing {
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
    EXPECT_EQ(button("pause").toolTip(), QStringLiteral("Go on where it was paused"));
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
