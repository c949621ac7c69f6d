#include "app/gui/jobs/running_jobs_fixture.h"
#include "gui/page/domain_words.h"

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

TEST_F(Jobs, ACollectionRunsTellsItsProgressAndEndsOnce) {
    JobService service(options());
    Heard heard(service);
    const auto id = service.start(small_collection(4));
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(heard.added, 1);
    EXPECT_EQ(state_of(service, *id), JobState::Running) << "it is started at once";
    EXPECT_TRUE(service.has_active_jobs());
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    const Job job = *service.job(*id);
    EXPECT_EQ(job.state, JobState::Finished) << job.error.toStdString();
    EXPECT_EQ(job.title, QStringLiteral("Measure banded (SpMM)"));
    EXPECT_EQ(job.progress.done, 5);
    EXPECT_EQ(job.progress.total, 5);
    // On a computer with other work, some may have given up.
    EXPECT_THAT(job.summary.toStdString(),
                StartsWith(fmt::format("{} measured", heard.count_steps(*id, "measured"))));
    EXPECT_EQ(heard.count(*id, "start"), 1);
    EXPECT_EQ(heard.count(*id, "step"), 5);
    EXPECT_EQ(heard.count(*id, "end"), 1);
    EXPECT_EQ(stored().size(), 5);
    EXPECT_FALSE(is_alive(job.worker)) << "it has let go of the workspace";
    // A service that saw the end twice would tell it twice before the end of the next job.
    const auto next = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[next] == 1; }));
    EXPECT_EQ(heard.finished[*id], 1);
}

TEST_F(Jobs, AnImportTellsOfEachFile) {
    JobService service(options());
    Heard heard(service);
    const auto good = write_file(folder() / "a,b.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                                       "3 4 2\n1 1\n3 4\n");
    const auto bad = write_file(folder() / "bad.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                                      "2 2 1\n1 7\n");
    const auto id = service.start(ImportJob{
        workspace_file(), {QString::fromStdString(good.string()), QString::fromStdString(bad.string())}});
    ASSERT_TRUE(id.has_value());
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(state_of(service, *id), JobState::Finished);
    EXPECT_EQ(heard.count(*id, "imported"), 1);
    EXPECT_EQ(heard.count(*id, "failed"), 1);
    EXPECT_THAT(service.job(*id)->summary.toStdString(), StartsWith("1 imported · 1 failed\n"));
    EXPECT_THAT(service.job(*id)->summary.toStdString(), HasSubstr("bad.mtx:3: "));

    const auto second = service.start(ImportJob{workspace_file(), {QString::fromStdString(bad.string())}});
    ASSERT_TRUE(wait_until([&] { return heard.finished[*second] == 1; }));
    EXPECT_EQ(state_of(service, *second), JobState::Failed) << "nothing at all was imported";
    EXPECT_THAT(service.job(*second)->error.toStdString(), HasSubstr("bad.mtx:3: "));

    CollectSchedulesJob collection = small_collection(1);
    collection.workloads = {QStringLiteral("a,b")};
    const auto measured = service.start(collection);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*measured] == 1; }));
    EXPECT_EQ(service.job(*measured)->progress.total, 2) << "a name with a comma is one name";
}

TEST_F(Jobs, ASimulationAddsItsMatrices) {
    JobService service(options());
    Heard heard(service);
    const auto id = service.start(SimulateJob{workspace_file(),
                                              QStringLiteral("uniform"),
                                              {{QStringLiteral("rows"), 40}, {QStringLiteral("cols"), 50}},
                                              3});
    ASSERT_TRUE(id.has_value());
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(state_of(service, *id), JobState::Finished) << service.job(*id)->error.toStdString();
    EXPECT_EQ(heard.count(*id, "simulated"), 3);
    EXPECT_EQ(service.job(*id)->summary, QStringLiteral("3 simulated"));
}

TEST_F(Jobs, ASingleScheduleCanBeMeasuredAndStartedAgain) {
    JobService service(options());
    Heard heard(service);
    CollectSchedulesJob one = small_collection();
    one.listed = {QStringLiteral("1 2 8 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 16")};
    const auto id = service.start(one);
    ASSERT_TRUE(id.has_value());
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(heard.count(*id, "step"), 2) << "fixed CSR and this one";
    const auto again = service.restart(*id);
    ASSERT_TRUE(again.has_value());
    EXPECT_NE(*again, *id);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*again] == 1; }));
    EXPECT_EQ(heard.count(*again, "step"), 0) << "what is stored is not measured again";
    EXPECT_THAT(service.job(*again)->summary.toStdString(), HasSubstr("2 there before"));
}

TEST_F(Jobs, PausingFinishesTheMeasurementInFlightAndResumingLosesAndDoublesNothing) {
    JobService service(options());
    Heard heard(service);
    const CollectSchedulesJob collection = small_collection(30);
    const auto id = service.start(collection);
    ASSERT_TRUE(wait_until([&] { return heard.count(*id, "step") >= 3; }));
    service.pause(*id);
    EXPECT_EQ(state_of(service, *id), JobState::Pausing);
    service.pause(*id); // a second signal would drop what is in flight
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(state_of(service, *id), JobState::Paused);
    const int before = heard.count(*id, "step");
    EXPECT_EQ(stored().size(), static_cast<std::size_t>(before)) << "each that was told of is stored";
    EXPECT_LT(before, 31);

    service.resume(*id);
    EXPECT_EQ(state_of(service, *id), JobState::Running);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 2; }));
    EXPECT_EQ(state_of(service, *id), JobState::Finished);
    EXPECT_EQ(heard.count(*id, "step"), 31);
    const auto keys = stored();
    EXPECT_EQ(keys.size(), 31);
    EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), 31);
}

TEST_F(Jobs, StoppingKeepsWhatWasMeasured) {
    JobService service(options());
    Heard heard(service);
    const auto id = service.start(long_collection());
    ASSERT_TRUE(wait_until([&] { return heard.count(*id, "step") >= 2; }));
    service.stop(*id);
    EXPECT_EQ(state_of(service, *id), JobState::Stopping);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(state_of(service, *id), JobState::Stopped);
    EXPECT_EQ(stored().size(), static_cast<std::size_t>(heard.count(*id, "step")));
    EXPECT_THAT(service.job(*id)->summary.toStdString(), HasSubstr("measured"));
}

TEST_F(Jobs, AKilledWorkerIsToldOfAndStartingItAgainGoesOn) {
    JobService service(options());
    Heard heard(service);
    const auto id = service.start(small_collection(40));
    ASSERT_TRUE(wait_until([&] { return heard.count(*id, "step") >= 2; }));
    signal_worker(service, *id, SIGKILL);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    const Job job = *service.job(*id);
    EXPECT_EQ(job.state, JobState::Failed);
    EXPECT_THAT(job.error.toStdString(), HasSubstr("The worker ended unexpectedly"));
    EXPECT_THAT(job.error.toStdString(), HasSubstr("Everything measured until then is stored"));
    const std::size_t kept = stored().size();
    EXPECT_GE(kept, static_cast<std::size_t>(heard.count(*id, "step")));
    const auto again = service.restart(*id);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*again] == 1; }));
    EXPECT_EQ(state_of(service, *again), JobState::Finished) << service.job(*again)->error.toStdString();
    EXPECT_EQ(stored().size(), 41);
}

TEST_F(Jobs, TheLastLineOfTheLogIsPartOfTheMessage) {
    JobService service(options_with_worker("echo '{\"event\":\"start\",\"job\":\"collect\"}'\n"
                                           "echo first >&2; echo 'terminate called, alas' >&2; kill -9 $$"));
    Heard heard(service);
    const auto id = service.start(small_collection());
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(state_of(service, *id), JobState::Failed);
    EXPECT_THAT(service.job(*id)->error.toStdString(), HasSubstr("terminate called, alas"));
    EXPECT_EQ(service.log_text(*id), QStringLiteral("first\nterminate called, alas\n"));
    EXPECT_EQ(service.event_lines(*id).size(), 1);
}

TEST_F(Jobs, AWorkerThatDoesNotEndCanBeKilledAfterTheGrace) {
    auto with = options_with_worker("trap '' INT\necho '{\"event\":\"start\",\"job\":\"collect\"}'\n"
                                    "for i in $(seq 600); do sleep 0.1; done");
    with.stop_grace = std::chrono::milliseconds(150);
    JobService service(with);
    Heard heard(service);
    const auto id = service.start(small_collection());
    ASSERT_TRUE(wait_until([&] { return heard.count(*id, "start") == 1; }));
    service.stop(*id);
    EXPECT_FALSE(service.job(*id)->stop_is_overdue);
    const int changes = heard.changed[*id];
    ASSERT_TRUE(wait_until([&] { return service.job(*id)->stop_is_overdue; }));
    EXPECT_EQ(heard.changed[*id], changes + 1) << "the button may be offered now";
    service.kill(*id);
    ASSERT_TRUE(wait_until([&] { return heard.finished[*id] == 1; }));
    EXPECT_EQ(state_of(service, *id), JobState::Stopped) << "as it was asked for";
    EXPECT_EQ(service.job(*id)->error, QString());
}

TEST_F(Jobs, GoOnWithoutTheWindowAndAreFoundAndFollowedToTheEnd) {
    JobId id;
    int before = 0;
    {
        JobService service(options());
        Heard heard(service);
        id = *service.start(small_collection(40));
        ASSERT_TRUE(wait_until([&] { return heard.count(id, "step") >= 2; }));
        before = heard.count(id, "step");
    }
    JobService service(options());
    Heard heard(service);
    ASSERT_TRUE(service.job(id).has_value());
    EXPECT_EQ(state_of(service, id), JobState::Running);
    EXPECT_EQ(service.job(id)->title, QStringLiteral("Measure banded (SpMM)"));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    EXPECT_EQ(state_of(service, id), JobState::Finished);
    EXPECT_GT(heard.count(id, "step"), before);
    EXPECT_EQ(heard.count(id, "step"), 41) << "what was told before is told again";
    EXPECT_EQ(heard.count(id, "start"), 1);
}

TEST_F(Jobs, OfADomainAreSummedUpByItsKindAlsoAfterARestart) {
    const JobKind count{.name = QStringLiteral("count"),
                        .is_short = true,
                        .summary = [](const Job& job, const RunReport& report) {
                            return counted(report.end->event.value(u"locks").toInteger(), job.workload);
                        }};
    const auto with =
        options_with_worker("sleep 0.5; echo '{\"event\":\"end\",\"locks\":3,\"complete\":true}'");
    JobId id;
    {
        JobService service(with);
        const auto started = service.start(
            JobDescription{count, QStringLiteral("Count"), workspace_file(), {}, {}, {"lock", "locks"}});
        ASSERT_TRUE(started.has_value());
        id = *started;
    }
    JobService service(with);
    ASSERT_TRUE(service.job(id).has_value());
    EXPECT_TRUE(service.job(id)->is_short());
    service.add_kind(count);
    ASSERT_TRUE(wait_until([&] { return state_of(service, id) == JobState::Finished; }));
    EXPECT_EQ(service.job(id)->summary, QStringLiteral("3 locks"));
}

TEST_F(Jobs, ThoseThatEndedOrDiedMeanwhileAreSaidToHave) {
    // Without the event loop: the service does not notice.
    const auto outlive = [](const WorkerIdentity& worker) {
        for (int i = 0; i < 1000 && is_alive(worker); ++i)
            QTest::qSleep(10);
    };
    JobId ended;
    JobId died;
    {
        JobService service(options());
        ended = *service.start(SimulateJob{workspace_file(), QStringLiteral("arrow"), {}, 1});
        outlive(service.job(ended)->worker);
        EXPECT_EQ(state_of(service, ended), JobState::Running);
    }
    {
        JobService service(options());
        Heard heard(service);
        ASSERT_TRUE(wait_until([&] { return is_idle(service, ended); }));
        died = *service.start(long_collection());
        ASSERT_TRUE(wait_until([&] { return heard.count(died, "step") >= 1; }));
        const WorkerIdentity worker = service.job(died)->worker;
        send_signal(worker, SIGKILL);
        outlive(worker);
    }
    JobService service(options());
    Heard heard(service);
    ASSERT_TRUE(wait_until([&] { return is_idle(service, ended) && is_idle(service, died); }));
    EXPECT_EQ(state_of(service, ended), JobState::Finished);
    EXPECT_EQ(state_of(service, died), JobState::Failed);
    EXPECT_EQ(heard.finished[died], 1);
}

TEST_F(Jobs, AVanishedWorkspaceIsAMessageBeforeAndAfterTheStart) {
    JobService service(options());
    Heard heard(service);
    const auto first = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 1; }));
    QFile::rename(workspace_file(), path("elsewhere"));
    const auto refused = service.start(small_collection(1));
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().toStdString(), HasSubstr("is gone"));
    service.stop(first);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(state_of(service, second), JobState::Failed);
    EXPECT_THAT(service.job(second)->error.toStdString(), HasSubstr("w.sparsight"));
}

TEST_F(Jobs, AFolderThatCannotBeWrittenIsAReasonNotToStart) {
    write_file(folder() / "file", "");
    JobServiceOptions with = options();
    with.folder = path("file/jobs");
    JobService service(with);
    Heard heard(service);
    const auto refused = service.start(small_collection(1));
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().toStdString(), HasSubstr("can't be written"));
    EXPECT_EQ(heard.added, 0);
    EXPECT_THAT(service.jobs(), IsEmpty());
}

TEST_F(Jobs, AMissingWorkerIsAReasonAndOneThatVanishedAMessage) {
    JobServiceOptions with = options_with_worker("exit 0");
    JobService service(with);
    Heard heard(service);
    service.set_worker_program(path("nowhere"));
    EXPECT_THAT(service.start(small_collection(1)).error().toStdString(), HasSubstr("is missing"));
    // Described already: it is found out when it is started.
    const auto id = service.start(describe(small_collection(1)));
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(state_of(service, *id), JobState::Failed);
    EXPECT_THAT(service.job(*id)->error.toStdString(), HasSubstr("can't be started"));
    EXPECT_EQ(heard.finished[*id], 1);
}

TEST_F(Jobs, TellManyEventsInFewChangesAndTheLastOneAlways) {
    JobService service(options_with_worker(
        "echo '{\"event\":\"start\",\"job\":\"collect\"}'\n"
        "for i in $(seq 5000); do echo "
        "'{\"event\":\"progress\",\"stage\":\"x\",\"done\":'$i',\"total\":6000,\"seconds_left\":1}'; done\n"
        "printf '{\"event\":\"end\",\"measured\":5000,\"complete\":'\nsleep 0.2\n"
        "echo 'true,\"stopped\":false}'"));
    Heard heard(service);
    const auto id = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    EXPECT_EQ(heard.count(id, "progress"), 5000);
    EXPECT_EQ(heard.count(id, "end"), 1) << "a line may come in parts";
    EXPECT_LT(heard.changed[id], 500);
    EXPECT_EQ(service.job(id)->progress.done, 5000);
}

TEST_F(Jobs, AFormerRunAndALineThatWasCutOffAreNotMistakenForNews) {
    JobService service(
        options_with_worker("if [ -e ran ]; then echo "
                            "'{\"event\":\"end\",\"complete\":true,\"stopped\":false}'; exit; fi\n"
                            "touch ran; trap 'exit 130' INT\n"
                            "echo '{\"event\":\"start\",\"job\":\"collect\"}'\n"
                            "printf '{\"event\":\"st'\n"
                            "for i in $(seq 600); do sleep 0.05; done"));
    Heard heard(service);
    const auto id = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.count(id, "start") == 1; }));
    service.pause(id);
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    EXPECT_EQ(state_of(service, id), JobState::Paused);
    service.resume(id);
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 2; }));
    EXPECT_EQ(state_of(service, id), JobState::Finished);
    EXPECT_EQ(heard.events[id].size(), 2);
}

TEST_F(Jobs, OfLongAgoAreForgottenWithTheirFiles) {
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QDir().mkpath(jobs_folder());
    JobFolder files(jobs_folder());
    std::vector<JobId> ids;
    for (int i = 0; i < 230; ++i) {
        Job job;
        job.id = QUuid::createUuid();
        job.state = i % 2 == 0 ? JobState::Finished : JobState::Failed;
        job.created = job.ended = now.addSecs(-i);
        if (i == 3)
            job.ended = now.addDays(-31);
        ASSERT_TRUE(files.save(job).has_value());
        ids.push_back(job.id);
    }
    write_file(folder() / "jobs" / "broken.json", "{");
    write_file(folder() / "jobs" / "later.json", R"({"version": 99})");
    JobService service(options());
    EXPECT_EQ(service.jobs().size(), 200);
    EXPECT_FALSE(service.job(ids[3]));
    EXPECT_TRUE(service.job(ids[4]));
    EXPECT_TRUE(service.job(ids[200]));
    EXPECT_FALSE(service.job(ids[201]));
    EXPECT_EQ(QDir(jobs_folder()).entryList({QStringLiteral("*.json")}).size(), 202)
        << "what is not ours stays";
}

TEST_F(Jobs, OfAnotherComputerAreNotTouched) {
    JobFolder files(jobs_folder());
    Job job;
    job.id = QUuid::createUuid();
    job.state = JobState::Running;
    job.created = job.started = QDateTime::currentDateTimeUtc();
    job.runs = 1;
    job.worker = {1, 7, QStringLiteral("boot"), QStringLiteral("another-host")};
    ASSERT_TRUE(files.save(job).has_value());
    JobService service(options());
    Heard heard(service);
    const auto own = *service.start(small_collection(1)); // while it runs, the folder is looked at many times
    ASSERT_TRUE(wait_until([&] { return heard.finished[own] == 1; }));
    EXPECT_EQ(state_of(service, job.id), JobState::Unknown);
    EXPECT_FALSE(service.has_active_jobs());
    service.stop(job.id);
    EXPECT_EQ(state_of(service, job.id), JobState::Unknown);
    write_file(folder() / "jobs" /
                   (job.id.toString(QUuid::WithoutBraces) + QStringLiteral(".events")).toStdString(),
               "{\"event\":\"end\",\"measured\":3,\"complete\":true,\"stopped\":false}\n");
    ASSERT_TRUE(wait_until([&] { return heard.finished[job.id] == 1; }));
    EXPECT_EQ(state_of(service, job.id), JobState::Finished) << "a shared folder tells its end";
}

TEST_F(Jobs, ThatAreAskedForWhileOneIsToldOfAreStarted) {
    JobService service(options());
    Heard heard(service);
    JobId second;
    QObject::connect(&service, &JobService::job_finished, &heard.context, [&](const JobId& id) {
        if (second.isNull())
            second = *service.restart(id);
        else
            service.remove(id);
    });
    const auto first = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.removed == 1; }));
    EXPECT_EQ(state_of(service, first), JobState::Finished);
    EXPECT_FALSE(service.job(second));
}

} // namespace sparsight::testing
