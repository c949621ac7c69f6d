// Jobs that wait for each other, and two windows that see the same ones.
#include "app/gui/jobs/running_jobs_fixture.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <csignal>
#include <fmt/format.h>
#include <set>
#include <thread>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(Jobs, MeasureOneAtATimeInTheirOrder) {
    JobService service(options());
    Heard heard(service);
    const auto first = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    const auto third = *service.start(small_collection(2));
    const auto probe = *service.start(ProbeJob{workspace_file()});
    EXPECT_EQ(state_of(service, first), JobState::Running);
    for (const JobId& id : {second, third, probe})
        EXPECT_EQ(state_of(service, id), JobState::Waiting);
    EXPECT_EQ(service.blocked_reason(first), QString());
    EXPECT_THAT(service.blocked_reason(second).toStdString(), HasSubstr("Measure 2 matrices (SpMM)"));
    EXPECT_THAT(service.blocked_reason(second).toStdString(), HasSubstr("would spoil each other"));

    service.move_waiting(third, 0);
    service.remove(probe);
    EXPECT_EQ(heard.removed, 1);
    std::vector<JobId> order;
    for (const Job& job : service.jobs())
        if (!is_over(job.state))
            order.push_back(job.id);
    EXPECT_EQ(order, (std::vector{first, third, second}));

    std::vector<JobId> started;
    QObject::connect(&service, &JobService::job_changed, &heard.context, [&](const JobId& id) {
        if (state_of(service, id) == JobState::Running && std::ranges::find(started, id) == started.end())
            started.push_back(id);
        int running = 0;
        for (const Job& job : service.jobs())
            running += is_active(job.state) ? 1 : 0;
        EXPECT_LE(running, 1);
    });
    service.stop(first);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(started, (std::vector{third, second}));
}

TEST_F(Jobs, AddNothingBesideAMeasurement) {
    JobService service(options());
    Heard heard(service);
    const auto measuring = *service.start(long_collection());
    const SimulateJob arrow{workspace_file(), QStringLiteral("arrow"), {}, 1};
    const auto adding = *service.start(arrow);
    const auto unwanted = *service.start(arrow);
    EXPECT_EQ(state_of(service, adding), JobState::Waiting);
    EXPECT_THAT(
        service.blocked_reason(adding).toStdString(),
        StartsWith("Waits until “Measure 2 matrices (SpMM)” has ended: it would spoil the measurement"));
    service.stop(unwanted);
    EXPECT_EQ(state_of(service, unwanted), JobState::Stopped);
    service.stop(measuring);
    ASSERT_TRUE(wait_until([&] { return heard.finished[adding] == 1; }));
    EXPECT_EQ(state_of(service, adding), JobState::Finished);
    EXPECT_EQ(heard.finished[unwanted], 0) << "it never ran";
}

TEST_F(Jobs, AddMatricesOneJobAtATime) {
    JobService service(options());
    Heard heard(service);
    const SimulateJob many{workspace_file(),
                           QStringLiteral("uniform"),
                           {{QStringLiteral("rows"), 40}, {QStringLiteral("cols"), 40}},
                           100'000};
    const auto first = *service.start(many);
    const auto second = *service.start(SimulateJob{workspace_file(), QStringLiteral("arrow"), {}, 1});
    EXPECT_EQ(state_of(service, second), JobState::Waiting);
    EXPECT_THAT(service.blocked_reason(second).toStdString(), HasSubstr("one job at a time"));
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "simulated") > 0; }));
    service.stop(first);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(state_of(service, first), JobState::Stopped);
    EXPECT_EQ(state_of(service, second), JobState::Finished);
}

TEST_F(Jobs, ThatWaitCanBePausedResumedAndStopped) {
    JobService service(options());
    Heard heard(service);
    const auto first = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    service.pause(second);
    EXPECT_EQ(state_of(service, second), JobState::Paused);
    service.resume(second);
    EXPECT_EQ(state_of(service, second), JobState::Waiting);
    service.stop(second);
    EXPECT_EQ(state_of(service, second), JobState::Stopped);
    EXPECT_EQ(heard.finished[second], 0) << "it never ran";
    EXPECT_EQ(state_of(service, first), JobState::Running);
    end_all(service);
}

TEST_F(Jobs, ThatWaitAreStartedByTheNextWindow) {
    JobId waiting;
    {
        JobService service(options());
        Heard heard(service);
        const auto first = *service.start(long_collection());
        waiting = *service.start(small_collection(1));
        ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 1; }));
        service.stop(first);
    }
    JobService service(options());
    Heard heard(service);
    ASSERT_TRUE(wait_until([&] { return heard.finished[waiting] == 1; }));
    EXPECT_EQ(state_of(service, waiting), JobState::Finished);
}

TEST_F(Jobs, OfTwoWindowsAreStartedOnceAndSeenByBoth) {
    JobService one(options());
    JobService other(options());
    Heard heard(one);
    Heard heard_by_other(other);
    const auto first = *one.start(long_collection());
    const auto second = *other.start(small_collection(2));
    EXPECT_EQ(state_of(other, second), JobState::Waiting) << "the other window's measurement counts, too";
    ASSERT_TRUE(wait_until([&] { return heard_by_other.count(first, "step") >= 1; }));
    other.pause(first);
    ASSERT_TRUE(
        wait_until([&] { return heard.finished[first] == 1 && heard_by_other.finished[first] == 1; }));
    EXPECT_EQ(state_of(one, first), JobState::Paused);
    EXPECT_EQ(state_of(other, first), JobState::Paused);
    ASSERT_TRUE(
        wait_until([&] { return heard.finished[second] == 1 && heard_by_other.finished[second] == 1; }));
    EXPECT_EQ(one.job(second)->runs, 1);
    EXPECT_EQ(heard.count(second, "start"), 1);
    EXPECT_EQ(state_of(one, second), JobState::Finished);
    other.remove(second);
    EXPECT_TRUE(wait_until([&] { return !one.job(second); }));
}

// The event loop does not run between the actions of these: each window shows what was the case before.
TEST_F(Jobs, ThatAnotherWindowHasStoppedAreNotRevivedByAnOlderView) {
    JobService one(options());
    Heard heard(one);
    const auto first = *one.start(long_collection());
    const auto second = *one.start(small_collection(1));
    one.pause(second);
    JobService other(options());
    ASSERT_EQ(state_of(other, second), JobState::Paused);
    one.stop(second);
    other.resume(second);
    EXPECT_EQ(state_of(other, second), JobState::Stopped) << "it is shown as it is";
    EXPECT_EQ(JobFolder(jobs_folder()).load(second)->state, JobState::Stopped);
    EXPECT_EQ(state_of(other, first), JobState::Running);
    end_all(one);
}

TEST_F(Jobs, ThatHaveEndedStayAsTheyAreWhenAnOlderViewStopsOrKillsThem) {
    JobService one(options());
    Heard heard(one);
    const auto id = *one.start(small_collection(1));
    JobService other(options());
    ASSERT_EQ(state_of(other, id), JobState::Running);
    JobFolder files(jobs_folder());
    Job ended = *files.load(id);
    ended.state = JobState::Finished; // as a third window writes it
    ASSERT_TRUE(files.save(ended).has_value());
    for (JobService* window : {&one, &other}) {
        window->stop(id);
        EXPECT_EQ(files.load(id)->state, JobState::Finished);
        window->kill(id);
        EXPECT_EQ(files.load(id)->state, JobState::Finished);
        window->pause(id);
        EXPECT_EQ(files.load(id)->state, JobState::Finished);
    }
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
}

TEST_F(Jobs, ThatTwoWindowsStopAreAskedOnce) {
    const auto with = options_with_worker("trap 'echo asked >> asked' INT\n"
                                          "echo '{\"event\":\"start\",\"job\":\"collect\"}'\n"
                                          "for i in $(seq 600); do sleep 0.02; done");
    JobService one(with);
    Heard heard(one);
    const auto id = *one.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.count(id, "start") == 1; }));
    JobService other(with);
    const QString notes = jobs_folder() + QStringLiteral("/asked");
    const auto asked = [&] { return QFile(notes).size(); };
    one.stop(id);
    for (int i = 0; i < 500 && asked() == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(asked(), 6);
    other.stop(id);
    EXPECT_EQ(state_of(other, id), JobState::Stopping);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(asked(), 6) << "a second signal drops the measurement in flight";
    other.kill(id);
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    EXPECT_EQ(state_of(one, id), JobState::Stopped);
}

TEST_F(Jobs, AreChangedWhenTheOtherWindowHasLetGoOfTheFolder) {
    JobService service(options());
    Heard heard(service);
    const auto first = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    auto held = JobFolder(jobs_folder()).lock();
    ASSERT_TRUE(held.has_value());
    service.stop(second);
    EXPECT_EQ(state_of(service, second), JobState::Waiting);
    held->reset();
    EXPECT_TRUE(wait_until([&] { return state_of(service, second) == JobState::Stopped; }));
    EXPECT_EQ(state_of(service, first), JobState::Running);
    end_all(service);
}

TEST_F(Jobs, ThatAreMovedInTwoWindowsKeepOneOrder) {
    JobService service(options());
    JobService other(options());
    service.hold_queue(true);
    other.hold_queue(true);
    std::vector<JobId> ids;
    for (int job = 1; job <= 4; ++job)
        ids.push_back(*service.start(small_collection(job)));
    ASSERT_TRUE(wait_until([&] { return other.jobs().size() == ids.size(); }));
    service.move_waiting(ids[3], 0);
    other.move_waiting(ids[0], 3); // of the order that it has not seen yet
    const auto order = [](const JobService& window) {
        std::vector<JobId> ids_in_order;
        for (const Job& job : window.jobs())
            ids_in_order.push_back(job.id);
        return ids_in_order;
    };
    const std::vector<JobId> wanted{ids[3], ids[1], ids[2], ids[0]};
    EXPECT_EQ(order(other), wanted);
    EXPECT_TRUE(wait_until([&] { return order(service) == wanted; }));
    std::set<int> places;
    for (const Job& job : other.jobs())
        places.insert(job.place);
    EXPECT_EQ(places.size(), ids.size()) << "no two in one place";
    end_all(service);
}

} // namespace sparsight::testing
