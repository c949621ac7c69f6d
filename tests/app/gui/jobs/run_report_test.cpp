#include "gui/jobs/job_texts.h"
#include "gui/jobs/run_report.h"
#include "gui/jobs/worker_process.h"
#include "support/test_files.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QThread>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

namespace {

QJsonObject object(const char* json) {
    return QJsonDocument::fromJson(json).object();
}

struct Ending {
    const char* name;
    JobKind kind;
    JobState asked;
    const char* last_event; ///< nullptr: the worker died
    JobState becomes;
    const char* says; ///< in its summary or error
};

const Ending endings[] = {
    {"the end", JobKind::Collect, JobState::Running,
     R"({"event":"end","measured":1200,"failed":3,"skipped":10,"seconds":12,"complete":true,"stopped":false})",
     JobState::Finished, "1\u202F200 measured · 3 failed · 10 there before · took 12.0\u00A0s"},
    {"out of its budget", JobKind::Collect, JobState::Running,
     R"({"event":"end","measured":2,"seconds":1,"complete":false,"stopped":false,"failures":[]})",
     JobState::Finished, "out of time"},
    {"a stop that was asked for", JobKind::Collect, JobState::Stopping,
     R"({"event":"end","measured":2,"seconds":1,"complete":false,"stopped":true})", JobState::Stopped,
     "2 measured"},
    {"a pause", JobKind::Collect, JobState::Pausing,
     R"({"event":"end","measured":2,"seconds":1,"complete":false,"stopped":true})", JobState::Paused,
     "2 measured"},
    {"a signal from somebody else", JobKind::Collect, JobState::Running,
     R"({"event":"end","measured":2,"seconds":1,"complete":false,"stopped":true})", JobState::Stopped,
     "2 measured"},
    {"done before the pause took hold", JobKind::Collect, JobState::Pausing,
     R"({"event":"end","measured":2,"seconds":1,"complete":true,"stopped":false})", JobState::Finished,
     "2 measured"},
    {"an error", JobKind::Import, JobState::Running,
     R"({"event":"error","file":"w.sparsight","line":null,"error":"no such file"})", JobState::Failed,
     "w.sparsight: no such file"},
    {"a stop before there was anything to sum up", JobKind::Train, JobState::Stopping,
     R"({"event":"error","file":null,"line":null,"error":"stopped","stopped":true})", JobState::Stopped, ""},
    {"a pause before there was anything to sum up", JobKind::Train, JobState::Pausing,
     R"({"event":"error","file":null,"line":null,"error":"stopped","stopped":true})", JobState::Paused, ""},
    {"an error on the way to a stop", JobKind::Train, JobState::Stopping,
     R"({"event":"error","file":null,"line":null,"error":"the disk is full","stopped":false})",
     JobState::Failed, "the disk is full"},
    {"the best of a stopped training kept", JobKind::Train, JobState::Running,
     R"({"event":"end","model":"m","ending":"stopped","epochs":3,"seconds":1,"complete":true,"stopped":false})",
     JobState::Finished, "the best of 3 epochs kept"},
    {"a search that could not look at its matrix", JobKind::Search, JobState::Running,
     R"({"event":"end","failures":[{"matrix":"m","error":"m: no pattern"}],"complete":true,"stopped":false})",
     JobState::Failed, "a.mtx:3: column 7"},
    {"its death", JobKind::Collect, JobState::Running, nullptr, JobState::Failed,
     "Everything measured until then is stored; start it again to continue."},
    {"its death while it imports", JobKind::Import, JobState::Running, nullptr, JobState::Failed,
     "Everything added until then is stored"},
    {"a kill that was asked for", JobKind::Collect, JobState::Stopping, nullptr, JobState::Stopped,
     "Ended at once"},
    {"its death on the way to a pause", JobKind::Collect, JobState::Pausing, nullptr, JobState::Paused,
     "is stored"},
    {"an import", JobKind::Import, JobState::Running,
     R"({"event":"end","imported":3,"already_there":1,"failed":1,"complete":true,"stopped":false})",
     JobState::Finished, "3 imported · 1 of them there before · 1 failed"},
    {"an import of nothing", JobKind::Import, JobState::Running,
     R"({"event":"end","imported":0,"already_there":0,"failed":2,"complete":true,"stopped":false})",
     JobState::Failed, "a.mtx:3: column 7"},
    {"a folder of WACO's", JobKind::Import, JobState::Running,
     R"({"event":"end","matrices":4,"patterns":4,"measurements":80,"failed":[],"complete":true,"stopped":false})",
     JobState::Finished, "4 matrices and 80 measurements imported"},
    {"the smallest folder of WACO's", JobKind::Import, JobState::Running,
     R"({"event":"end","matrices":1,"patterns":1,"measurements":1,"failed":[],"complete":true,"stopped":false})",
     JobState::Finished, "1 matrix and 1 measurement imported"},
    {"a probe", JobKind::Probe, JobState::Running,
     R"({"event":"end","name":"AMD EPYC","complete":true,"stopped":false})", JobState::Finished, "AMD EPYC"},
    {"a calibration", JobKind::Calibrate, JobState::Running,
     R"({"event":"end","matrices":20,"held_out":9,"seconds":12,"held_out_quality":{
         "before":{"kendall_tau":0.541,"median_error":2.3},"after":{"kendall_tau":0.746,"median_error":1.262}},
         "complete":true,"stopped":false})",
     JobState::Finished,
     "τ on 9 matrices kept back: 0.54 before, 0.75 after · off by ×2.30 before, ×1.26 after"},
    {"a calibration that was cross-validated", JobKind::Calibrate, JobState::Running,
     R"({"event":"end","matrices":8,"check":"cross-validated","held_out":8,"seconds":12,"held_out_quality":{
         "before":{"kendall_tau":0.34,"median_error":3.3},"after":{"kendall_tau":0.43,"median_error":2.6}},
         "complete":true,"stopped":false})",
     JobState::Finished,
     "τ on 8 matrices, each left out once: 0.34 before, 0.43 after · off by ×3.30 before, ×2.60 after"},
    {"a calibration that nothing was kept back from", JobKind::Calibrate, JobState::Running,
     R"({"event":"end","matrices":1,"held_out":0,"seconds":12,"held_out_quality":null,"fitted_on":{
         "before":{"kendall_tau":0.5,"median_error":2},"after":{"kendall_tau":0.7,"median_error":1.5}},
         "complete":true,"stopped":false})",
     JobState::Finished, "τ on 1 matrix: 0.50 before, 0.70 after"},
    {"a calibration that was stopped", JobKind::Calibrate, JobState::Stopping,
     R"({"event":"error","error":"stopped while fitting","stopped":true})", JobState::Stopped, ""},
    {"the death of a calibration", JobKind::Calibrate, JobState::Running, nullptr, JobState::Failed,
     "The machine is what it was"},
};

} // namespace

TEST(RunReport, EachEndingMakesItsStateAndItsText) {
    for (const Ending& ending : endings) {
        SCOPED_TRACE(ending.name);
        RunReport report;
        take_event(report, object(R"({"event":"failed","file":"a.mtx","line":3,"error":"column 7"})"));
        if (ending.last_event != nullptr)
            take_event(report, object(ending.last_event));
        Job job;
        job.kind = ending.kind;
        job.workload = {"matrix", "matrices"};
        job.state = ending.asked;
        const RunOutcome outcome = outcome_of(job, report, QStringLiteral("one\nlast words\n"));
        EXPECT_EQ(outcome.state, ending.becomes);
        EXPECT_THAT((outcome.summary + outcome.error).toStdString(), HasSubstr(ending.says));
        EXPECT_EQ(outcome.error.isEmpty(), outcome.state != JobState::Failed);
        if (ending.last_event == nullptr && outcome.state == JobState::Failed) {
            EXPECT_THAT(outcome.error.toStdString(), HasSubstr("last words"));
        }
    }
}

TEST(RunReport, AMeasuredScheduleAndAProgressBothTellHowFarItIs) {
    RunReport report;
    take_event(report, object(R"({"event":"step","matrix":"m","done":3,"total":9,"seconds_left":1.5})"));
    EXPECT_EQ(report.progress.done, 3);
    EXPECT_EQ(report.progress.total, 9);
    EXPECT_EQ(report.progress.what, QStringLiteral("m"));
    EXPECT_EQ(report.progress.seconds_left, 1.5);
    take_event(report, object(R"({"event":"progress","stage":"s","done":4,"total":9,"seconds_left":null})"));
    EXPECT_EQ(report.progress.what, QStringLiteral("s"));
    EXPECT_EQ(report.progress.seconds_left, std::nullopt);
    take_event(report, object(R"({"event":"something new","x":1})"));
    EXPECT_EQ(report.progress.done, 4);
}

TEST(RunReport, AWarningOfAWaitStandsUntilTheWorkGoesOn) {
    RunReport report;
    take_event(report, object(R"({"event":"warning","warning":"another program measures; waiting"})"));
    Job job;
    job.state = JobState::Running;
    job.progress = report.progress;
    EXPECT_EQ(status_text(job), QStringLiteral("Another program measures; waiting"));
    take_event(report, object(R"({"event":"turn"})"));
    take_event(report, object(R"({"event":"step","matrix":"m","done":1,"total":9})"));
    job.progress = report.progress;
    EXPECT_EQ(status_text(job), QStringLiteral("1 of 9"));
}

TEST(RunReport, KeepsTheOtherWarningsUntilTheEndWhichTheyMayExplain) {
    RunReport report;
    const auto warn = [&](const char* event) { take_event(report, object(event)); };
    warn(R"({"event":"warning","warning":"there is no lock"})");
    warn(R"({"event":"warning","warning":"another program measures; waiting"})");
    take_event(report, object(R"({"event":"turn"})"));
    warn(R"({"event":"warning","warning":"it was measuring for the whole time budget"})");
    warn(R"({"event":"warning","warning":"it was measuring for the whole time budget"})");
    take_event(report, object(R"({"event":"start","job":"collect"})"));
    take_event(report, object(R"({"event":"progress","stage":"s","done":0,"total":9})"));
    Job job;
    job.kind = JobKind::Collect;
    job.state = JobState::Running;
    job.progress = report.progress;
    EXPECT_EQ(status_text(job).toStdString(),
              "0 of 9 · There is no lock · It was measuring for the whole time budget");
    take_event(report, object(R"({"event":"end","measured":0,"failed":0,"seconds":60,"complete":false,
                                  "stopped":false})"));
    EXPECT_THAT(outcome_of(job, report, {}).summary.toStdString(),
                ::testing::EndsWith("out of time: start it again to continue\nThere is no lock\n"
                                    "It was measuring for the whole time budget"));
}

TEST(RunReport, WhatGaveUpOrWasTooLargeIsNotCalledFailed) {
    RunReport report;
    for (const char* status : {"measured", "gave up", "too large", "gave up", "mismatch", "measured"})
        take_event(report, QJsonObject{{QStringLiteral("event"), QStringLiteral("step")},
                                       {QStringLiteral("status"), QLatin1String(status)}});
    take_event(
        report,
        object(R"({"event":"end","measured":4,"failed":2,"seconds":1,"complete":true,"stopped":false})"));
    Job job;
    job.kind = JobKind::Collect;
    job.state = JobState::Running;
    EXPECT_EQ(outcome_of(job, report, {}).summary.toStdString(),
              "2 measured \u00b7 2 abandoned as too slow \u00b7 1 too large \u00b7 1 failed \u00b7 took "
              "1.00\u00A0s");
}

TEST(RunReport, TakesWhatWasAbandonedOrTooLargeFromTheEnd) {
    RunReport report;
    take_event(report, object(R"({"event":"step","status":"gave up"})"));
    take_event(report, object(R"({"event":"end","measured":4,"given_up":2,"failed":2,"too_large":1,
                                  "seconds":1,"complete":true,"stopped":false})"));
    Job job;
    job.kind = JobKind::Collect;
    job.state = JobState::Running;
    EXPECT_EQ(outcome_of(job, report, {}).summary.toStdString(),
              "2 measured \u00b7 2 abandoned as too slow \u00b7 1 too large \u00b7 1 failed \u00b7 took "
              "1.00\u00A0s");
}

TEST(RunReport, TellsHowManyKeptTheirTimesWhenTheRepetitionFailed) {
    RunReport report;
    take_event(report, object(R"({"event":"end","measured":1,"failed":3,"kept":2,"seconds":1,
                                  "complete":true,"stopped":false})"));
    Job job;
    job.kind = JobKind::Collect;
    job.state = JobState::Running;
    EXPECT_EQ(outcome_of(job, report, {}).summary.toStdString(),
              "1 measured \u00b7 3 failed \u00b7 2 keep their earlier times: the new run was abandoned "
              "or failed \u00b7 took 1.00\u00A0s");
}

TEST(RunReport, AnImportNamesItsFirstFailureAndSaysWhereTheOthersAre) {
    RunReport report;
    take_event(report, object(R"({"event":"failed","file":"a.mtx","line":3,"error":"column 7 is outside"})"));
    take_event(report, object(R"({"event":"failed","file":"b.mtx","line":null,"error":"is empty"})"));
    take_event(report, object(R"({"event":"end","imported":1,"failed":2,"complete":true,"stopped":false})"));
    Job job;
    job.kind = JobKind::Import;
    job.state = JobState::Running;
    EXPECT_EQ(outcome_of(job, report, {}).summary.toStdString(),
              "1 imported \u00b7 2 failed\na.mtx:3: column 7 is outside\nThe log names the others.");
}

TEST(WorkerMessages, AreWithoutTheNameOfTheProgram) {
    EXPECT_EQ(
        worker_messages(QStringLiteral("sparsight-cli: error: a.mtx:4: row 9 is outside 1..3\n"
                                       "sparsight-cli: made the workspace\nterminate: sparsight-cli: x")),
        QStringLiteral("a.mtx:4: row 9 is outside 1..3\nmade the workspace\nterminate: sparsight-cli: x"));
}

TEST(RunReport, OnlyWholeLinesAreReadAndEachOnce) {
    const TemporaryFolder folder;
    const auto file = folder / "events";
    const QString path = QString::fromStdString(file.string());
    EXPECT_TRUE(read_new_lines(path, 0).lines.isEmpty()) << "not there yet";
    write_file(file, "one\ntw");
    NewLines lines = read_new_lines(path, 0);
    EXPECT_EQ(lines.lines, QByteArrayList{"one"});
    EXPECT_EQ(lines.offset, 4);
    EXPECT_TRUE(lines.at_end);
    write_file(file, "one\ntwo\nthree\n");
    lines = read_new_lines(path, lines.offset);
    EXPECT_EQ(lines.lines, (QByteArrayList{"two", "three"}));
    lines = read_new_lines(path, 0, 6);
    EXPECT_EQ(lines.lines, QByteArrayList{"one"});
    EXPECT_FALSE(lines.at_end) << "there is more";
    EXPECT_EQ(read_new_lines(path, 4, 2).offset, 6) << "a line without end does not hold it up";
}

TEST(WorkerProcess, ANumberThatIsUsedAgainIsAnotherProcess) {
    const WorkerIdentity us = identify(::getpid());
    EXPECT_TRUE(is_alive(us));
    WorkerIdentity earlier = us;
    earlier.start_ticks -= 1;
    EXPECT_FALSE(is_alive(earlier)) << "of the same number, started at another moment";
    WorkerIdentity before_boot = us;
    before_boot.boot = QStringLiteral("another");
    EXPECT_FALSE(is_alive(before_boot));
    EXPECT_FALSE(is_alive(WorkerIdentity{}));
    send_signal(earlier, SIGKILL); // must not hit us
    SUCCEED();
}

TEST(WorkerProcess, ADeadChildThatNobodyWaitedForIsDead) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    const WorkerIdentity process = identify(child);
    for (int i = 0; i < 500 && identify(child).start_ticks != 0; ++i)
        QThread::msleep(10);
    EXPECT_FALSE(is_alive(process));
}

TEST(WorkerProcess, RunsInItsFolderWithItsOutputsInFilesAndSaysWhyItCannot) {
    int count = 1;
    char program[] = "test";
    char* arguments[] = {program, nullptr};
    const QCoreApplication application(count, arguments);
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.path().string());
    const auto worker = start_worker({QStringLiteral("/bin/sh"),
                                      {QStringLiteral("-c"), QStringLiteral("pwd; echo \"$1\" >&2"),
                                       QStringLiteral("sh"), QStringLiteral("a b'c\"")},
                                      path,
                                      path + QStringLiteral("/events"),
                                      path + QStringLiteral("/log")});
    ASSERT_TRUE(worker.has_value());
    for (int i = 0; i < 500 && is_alive(*worker); ++i)
        QThread::msleep(10);
    EXPECT_EQ(file_content(folder / "events"), folder.path().string() + "\n");
    EXPECT_EQ(file_content(folder / "log"), "a b'c\"\n");
    const auto missing = start_worker(
        {path + QStringLiteral("/none"), {}, path, path + QStringLiteral("/e"), path + QStringLiteral("/l")});
    ASSERT_FALSE(missing.has_value());
    EXPECT_FALSE(missing.error().isEmpty());
}

} // namespace sparsight::testing
