#include "gui/domains/records/import_records_job.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/job_request.h"

#include "gui/jobs/job.h"
#include "gui/jobs/worker_process.h"
#include "support/test_files.h"

#include <QFile>
#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

namespace {

const LaunchConditions good{.worker_program = QStringLiteral("/bin/sparsight-cli"),
                            .workspace_is_there = true,
                            .workspace_is_writable = true,
                            .workloads_without_data = {QStringLiteral("ghost"), QStringLiteral("spirit")}};

CollectSchedulesJob collection() {
    CollectSchedulesJob job;
    job.workspace = QStringLiteral("/tmp/w.sparsight");
    job.workloads = {QStringLiteral("m"), QStringLiteral("-n,o")};
    job.sampler = QStringLiteral("waco");
    return job;
}

std::string refusal(const JobRequest& request, const LaunchConditions& conditions = good) {
    return request.refusal(conditions).value_or(QString()).toStdString();
}

template <typename Change>
CollectSchedulesJob with(Change change) {
    CollectSchedulesJob job = collection();
    change(job);
    return job;
}

LaunchConditions without(void (*change)(LaunchConditions&)) {
    LaunchConditions conditions = good;
    change(conditions);
    return conditions;
}

} // namespace

TEST(LaunchRefusal, SaysWhichConditionFails) {
    struct Case {
        JobRequest request;
        LaunchConditions conditions;
        const char* reason;
    };
    const QString workspace = QStringLiteral("/tmp/w.sparsight");
    const auto no_worker = without([](LaunchConditions& c) { c.worker_program.clear(); });
    const auto gone = without([](LaunchConditions& c) { c.workspace_is_there = false; });
    const auto read_only = without([](LaunchConditions& c) { c.workspace_is_writable = false; });
    const auto no_workspace = with([](auto& job) { job.workspace.clear(); });
    const Case cases[] = {
        {collection(), no_worker, "The worker program, sparsight-cli, is missing"},
        {no_workspace, good, "No workspace is open"},
        {collection(), gone, "/tmp/w.sparsight is gone"},
        {collection(), read_only, "can only be read"},
        {with([](auto& job) { job.workloads.clear(); }), good, "No matrices are chosen"},
        {with([](auto& job) { job.workloads = {QStringLiteral("ghost")}; }), good,
         "The pattern of ghost is unknown"},
        {with([](auto& job) { job.workloads = {QStringLiteral("ghost"), QStringLiteral("spirit")}; }), good,
         "The patterns of these matrices are unknown"},
        {with([](auto& job) { job.dense = 0; }), good, "dense matrix has 0 columns"},
        {with([](auto& job) { job.threads = 0; }), good, "0 threads: expected 1 to 1024"},
        {with([](auto& job) { job.configurations = 0; }), good, "No schedules are chosen"},
        {with([](auto& job) { job.list_file = QStringLiteral("/nowhere/list"); }), good,
         "/nowhere/list, can't be read"},
        {with([](auto& job) { job.listed = {QStringLiteral("1 2 3")}; }), good,
         "One of the schedules is none of SpMM"},
        {with([](auto& job) { job.budget = std::chrono::seconds(0); }), good, "budget is empty"},
        {ImportJob{workspace, {}}, good, "No files are chosen"},
        {ImportJob{workspace, {QStringLiteral("/nowhere/a.mtx")}}, good, "/nowhere/a.mtx is gone"},
        {ImportJob{workspace, {QStringLiteral("/a"), QStringLiteral("/b")}, QStringLiteral("x")}, good,
         "A name is for one file; 2 are chosen"},
        {ImportJob{workspace, {QStringLiteral("/bin/sh")}}, read_only, "can only be read"},
        {SimulateJob{workspace, QStringLiteral("bandit"), {}}, good, "no family of matrices called “bandit”"},
        {SimulateJob{workspace, QStringLiteral("banded"), {{QStringLiteral("size"), -1}}}, good, "size"},
        {SimulateJob{workspace, QStringLiteral("banded"), {}, 0}, good, "How many"},
        {ProbeJob{workspace}, read_only, "can only be read"},
        {ProbeJob{{}}, no_worker, "is missing"},
        {CalibrateJob{workspace, QStringLiteral("0123"), {}}, read_only, "can only be read"},
        {CalibrateJob{workspace, {}, {}}, good, "No machine is chosen"},
        {CalibrateJob{workspace, QStringLiteral("0123"), {}, sparse_job_setting(Operator::SpMM, 0)}, good,
         "the extent of the dense index is '0'"},
    };
    for (const Case& one : cases)
        EXPECT_THAT(refusal(one.request, one.conditions), HasSubstr(one.reason));
}

TEST(LaunchRefusal, IsSilentWhereAllIsWell) {
    const QString workspace = QStringLiteral("/tmp/w.sparsight");
    EXPECT_EQ(refusal(collection()), "");
    EXPECT_EQ(refusal(with([](auto& job) { job.workloads << QStringLiteral("ghost"); })), "")
        << "the others can be measured";
    EXPECT_EQ(refusal(with([](auto& job) {
                  job.op = Operator::SpMV;
                  job.dense = 0;
              })),
              "");
    EXPECT_EQ(refusal(ImportJob{workspace, {QStringLiteral("/bin/sh")}}), "");
    EXPECT_EQ(refusal(SimulateJob{workspace, QStringLiteral("banded"), {}, 2}), "");
    EXPECT_EQ(refusal(SimulateJob{workspace, QStringLiteral("simulated-matrices"), {}, 2}), "");
    EXPECT_EQ(refusal(ProbeJob{workspace}), "");
    EXPECT_EQ(refusal(ProbeJob{{}}), "");
    EXPECT_EQ(refusal(CalibrateJob{workspace, QStringLiteral("0123"), {}}), "");
}

TEST(LaunchConditions, AreReadFromTheDisk) {
    const TemporaryFolder folder;
    const auto file = write_file(folder / "w.sparsight", "");
    const QString workspace = QString::fromStdString(file.string());
    auto conditions = launch_conditions(QStringLiteral("/bin/sh"), workspace);
    EXPECT_EQ(conditions.worker_program, QStringLiteral("/bin/sh"));
    EXPECT_TRUE(conditions.workspace_is_there);
    EXPECT_TRUE(conditions.workspace_is_writable);
    conditions = launch_conditions(workspace, workspace + QStringLiteral("x"));
    EXPECT_EQ(conditions.worker_program, QString()) << "a file that can't be executed";
    EXPECT_FALSE(conditions.workspace_is_there);
}

TEST(JobRequests, BecomeCommandLines) {
    const QStringList words = describe(collection()).arguments;
    EXPECT_EQ(words.first(), QStringLiteral("collect"));
    for (const char* word : {"--workspace=/tmp/w.sparsight", "--progress=json", "--workload=m",
                             "--workload=-n,o", "--operator=spmm", "--dense=256", "--configurations=100",
                             "--sampler=waco", "--seed=1", "--threads=1", "--protocol=adaptive"})
        EXPECT_TRUE(words.contains(QLatin1String(word))) << word;
    const auto listed = describe(with([](auto& job) {
        job.listed = {QStringLiteral("1 2"), QStringLiteral("3 4")};
        job.again = true;
        job.budget = std::chrono::seconds(90);
    }));
    EXPECT_EQ(listed.list, "1 2\n3 4\n");
    EXPECT_TRUE(listed.arguments.contains(QStringLiteral("--again")));
    EXPECT_TRUE(listed.arguments.contains(QStringLiteral("--budget=90s")));
    EXPECT_TRUE(listed.arguments.filter(QStringLiteral("--configurations")).isEmpty());

    const auto import = describe(ImportJob{QStringLiteral("/w"), {QStringLiteral("/d/-a.mtx")}});
    EXPECT_EQ(import.arguments.mid(import.arguments.size() - 2),
              (QStringList{QStringLiteral("--"), QStringLiteral("/d/-a.mtx")}));
    EXPECT_EQ(import.title, QStringLiteral("Import -a.mtx"));
    const auto simulation = describe(
        SimulateJob{QStringLiteral("/w"), QStringLiteral("banded"), {{QStringLiteral("size"), 100'000}}, 5});
    EXPECT_TRUE(simulation.arguments.contains(QStringLiteral("--param=size=1e+05")) ||
                simulation.arguments.contains(QStringLiteral("--param=size=100000")));
    EXPECT_EQ(simulation.title, QStringLiteral("Simulate 5 matrices of banded"));
    const auto runtimes = describe(SimulateRuntimesJob{QStringLiteral("/w"),
                                                       QStringLiteral("simulated:7"),
                                                       QStringLiteral("mine"),
                                                       {QStringLiteral("cage8")},
                                                       Operator::SpMM,
                                                       64});
    EXPECT_EQ(runtimes.arguments.mid(0, 2),
              (QStringList{QStringLiteral("simulate-runtimes"), QStringLiteral("simulated:7")}));
    EXPECT_TRUE(runtimes.arguments.contains(QStringLiteral("--matrices=cage8")));
    EXPECT_TRUE(runtimes.arguments.contains(QStringLiteral("--dense=64")));
    EXPECT_EQ(runtimes.title, QStringLiteral("Simulate runtimes of cage8 on mine"));
}

TEST(JobRequests, ASearchByMeasuringSaysHowManyItMeasuresAndDrawsNone) {
    const auto searched = describe(with([](auto& job) {
        job.searched = 80;
        job.budget = std::chrono::seconds(60);
    }));
    EXPECT_TRUE(searched.arguments.contains(QStringLiteral("--search=80")));
    EXPECT_TRUE(searched.arguments.contains(QStringLiteral("--budget=60s")));
    EXPECT_EQ(searched.arguments.filter(QStringLiteral("--configurations")).size(), 0);
    EXPECT_EQ(searched.arguments.filter(QStringLiteral("--sampler")).size(), 0);
    EXPECT_TRUE(searched.title.contains(QStringLiteral("Search by measuring")));
}

TEST(JobRequests, ACalibrationNamesItsMachineByTheFingerprint) {
    const auto described =
        describe(CalibrateJob{QStringLiteral("/w"), QStringLiteral("0123"), QStringLiteral("AMD EPYC"),
                              sparse_job_setting(Operator::SpMV, 7), QStringLiteral("SpMV")});
    EXPECT_EQ(described.title, QStringLiteral("Calibrate AMD EPYC (SpMV)"));
    EXPECT_EQ(described.arguments.mid(0, 2),
              (QStringList{QStringLiteral("machine"), QStringLiteral("calibrate")}));
    EXPECT_TRUE(described.arguments.contains(QStringLiteral("--operator=spmv")));
    EXPECT_TRUE(described.arguments.filter(QStringLiteral("--dense")).isEmpty()) << "SpMV has none";
    Job job;
    job.kind = described.kind;
    job.arguments = described.arguments;
    EXPECT_EQ(calibrated_machine(job), QStringLiteral("0123"));
    job.kind = JobKind::Probe;
    EXPECT_FALSE(calibrated_machine(job));
}

TEST(JobFile, GivesBackWhatWasWritten) {
    Job job;
    job.id = QUuid::createUuid();
    job.kind = simulate_kind();
    job.workload = {"matrix", "matrices"};
    job.state = JobState::Paused;
    job.title = QStringLiteral("Ünïcode “title”");
    job.workspace = QStringLiteral("/w");
    job.arguments = {QStringLiteral("a"), QStringLiteral("b c")};
    job.summary = QStringLiteral("s");
    job.error = QStringLiteral("e");
    job.created = QDateTime::fromMSecsSinceEpoch(1'700'000'000'123, Qt::UTC);
    job.started = job.created.addSecs(1);
    job.ended = job.created.addSecs(2);
    job.progress.done = 3;
    job.progress.total = 4;
    job.place = -2;
    job.runs = 3;
    job.worker = {123, 0xFFFF'FFFF'FFFF'FFFFULL, QStringLiteral("boot"), QStringLiteral("host")};
    job.events_offset = 77;
    job.log_offset = 88;
    const auto back = job_from_json(to_json(job));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(to_json(*back), to_json(job));
    EXPECT_EQ(back->worker, job.worker);
    EXPECT_EQ(back->created, job.created);
    EXPECT_EQ(back->arguments, job.arguments);
    EXPECT_EQ(back->kind.adds, job.kind.adds) << "before its domain has added the kind";
    EXPECT_TRUE(back->adds_workloads());
    EXPECT_FALSE(back->measures());
    EXPECT_EQ(back->workload.many, "matrices");
    QJsonObject later = to_json(job);
    later[QStringLiteral("version")] = 2;
    EXPECT_FALSE(job_from_json(later).has_value());
    EXPECT_FALSE(job_from_json({}).has_value());
}

TEST(JobActions, AreAllowedByStateAndSayWhyNot) {
    struct Row {
        JobState state;
        const char* allowed; ///< P(ause) R(esume) S(top) K(ill) A(gain) D(elete)
    };
    const Row rows[] = {{JobState::Waiting, "PSD"}, {JobState::Running, "PS"}, {JobState::Pausing, "S"},
                        {JobState::Paused, "RSD"},  {JobState::Stopping, ""},  {JobState::Finished, "AD"},
                        {JobState::Stopped, "AD"},  {JobState::Failed, "AD"},  {JobState::Unknown, "AD"}};
    const std::pair<JobAction, char> actions[] = {{JobAction::Pause, 'P'},   {JobAction::Resume, 'R'},
                                                  {JobAction::Stop, 'S'},    {JobAction::Kill, 'K'},
                                                  {JobAction::Restart, 'A'}, {JobAction::Remove, 'D'}};
    for (const Row& row : rows) {
        Job job;
        job.state = row.state;
        std::string allowed;
        for (const auto& [action, letter] : actions) {
            if (is_allowed(action, job))
                allowed += letter;
            EXPECT_FALSE(action_tooltip(action, job).isEmpty());
        }
        EXPECT_EQ(allowed, row.allowed) << static_cast<int>(row.state);
    }
    Job overdue;
    overdue.state = JobState::Stopping;
    overdue.stop_is_overdue = true;
    EXPECT_TRUE(is_allowed(JobAction::Kill, overdue));
    Job probe;
    probe.state = JobState::Running;
    for (const JobKind& kind : {JobKind::Probe, JobKind::Calibrate, JobKind::Search}) {
        probe.kind = kind;
        EXPECT_FALSE(is_allowed(JobAction::Pause, probe)) << "it would begin anew";
        EXPECT_TRUE(is_allowed(JobAction::Stop, probe));
    }
}

} // namespace sparsight::testing
