#include "domains/records/records.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/job_request.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/run_report.h"

#include <QJsonDocument>
#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::HasSubstr;

namespace {

const LaunchConditions learner_conditions{.worker_program = QStringLiteral("/bin/sparsight-cli"),
                                          .workspace_is_there = true,
                                          .workspace_is_writable = true,
                                          .models = {QStringLiteral("first")}};

const QString workspace = QStringLiteral("/tmp/w.sparsight");

TrainJob training() {
    TrainJob job;
    job.workspace = workspace;
    job.name = QStringLiteral("meta");
    job.machines = {QStringLiteral("a"), QStringLiteral("b")};
    job.setting = sparse_job_setting(Operator::SpMM, 256);
    job.method = QStringLiteral("fomaml");
    job.architecture = QStringLiteral("statistics");
    job.options = {{QStringLiteral("epochs"), QStringLiteral("40")},
                   {QStringLiteral("machine-features"), QString()}};
    return job;
}

FineTuneJob fine_tuning() {
    FineTuneJob job;
    job.workspace = workspace;
    job.model = QStringLiteral("first");
    job.machine = QStringLiteral("c");
    job.name = QStringLiteral("first-on-c");
    job.setting = sparse_job_setting(Operator::SpMM, 256);
    return job;
}

template <typename Request, typename Change>
Request with(Request request, Change change) {
    change(request);
    return request;
}

Job of_kind(JobKind kind) {
    Job job;
    job.kind = kind;
    return job;
}

TEST(LearningJobs, BecomeCommandLines) {
    const QStringList train = describe(training()).arguments;
    EXPECT_EQ(train.first(), QStringLiteral("train"));
    for (const char* word :
         {"--workspace=/tmp/w.sparsight", "--progress=json", "--name=meta", "--machines=a,b",
          "--domain=sparse", "--operator=spmm", "--dense=256", "--method=fomaml", "--architecture=statistics",
          "--epochs=40", "--machine-features"})
        EXPECT_TRUE(train.contains(QLatin1String(word))) << word;
    EXPECT_TRUE(train.filter(QStringLiteral("--split")).isEmpty());
    EXPECT_TRUE(describe(with(training(), [](TrainJob& job) {
                    job.split_by = QStringLiteral("row");
                })).arguments.contains(QStringLiteral("--split-by=row")));
    EXPECT_EQ(describe(training()).title, QStringLiteral("Train meta"));

    const QStringList tune = describe(with(fine_tuning(), [](FineTuneJob& job) {
                                 job.shots = {QStringLiteral("0"), QStringLiteral("5")};
                                 job.against = {QStringLiteral("scratch")};
                             })).arguments;
    EXPECT_EQ(tune.first(), QStringLiteral("finetune"));
    for (const char* word : {"--model=first", "--machine=c", "--name=first-on-c", "--matrices=10",
                             "--shots=0,5", "--seeds=5", "--against=scratch"})
        EXPECT_TRUE(tune.contains(QLatin1String(word))) << word;
    EXPECT_TRUE(tune.filter(QStringLiteral("--epochs")).isEmpty()) << "the learner knows how many are right";

    SearchJob search{
        .workspace = workspace, .model = QStringLiteral("first"), .workloads = {QStringLiteral("m")}};
    EXPECT_TRUE(describe(search).arguments.contains(QStringLiteral("--workload=m")));
    for (const char* option : {"--ef", "--machine", "--map", "--budget"})
        EXPECT_TRUE(describe(search).arguments.filter(QLatin1String(option)).isEmpty()) << option;
    search.width = 50;
    search.setting = sparse_job_setting(Operator::SpMM, 32);
    search.machine = QStringLiteral("recorded:x");
    search.map = true;
    for (const char* word : {"--ef=50", "--dense=32", "--machine=recorded:x", "--map"})
        EXPECT_TRUE(describe(search).arguments.contains(QLatin1String(word))) << word;
    const auto again = search_job_from(workspace, describe(search).arguments);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(describe(*again).arguments, describe(search).arguments) << "and back";
    EXPECT_FALSE(search_job_from(workspace, describe(training()).arguments).has_value());
    search.setting = sparse_job_setting(Operator::SpMV, 32);
    EXPECT_TRUE(describe(search).arguments.filter(QStringLiteral("--dense")).isEmpty());
    EvaluateJob evaluation{.workspace = workspace,
                           .models = {QStringLiteral("first"), QStringLiteral("trees")},
                           .workloads = {QStringLiteral("m")}};
    const QStringList evaluate = describe(evaluation).arguments;
    EXPECT_TRUE(evaluate.contains(QStringLiteral("--models=first,trees")));
    EXPECT_TRUE(evaluate.contains(QStringLiteral("--threads=1")));
    evaluation.machine = QStringLiteral("recorded:x");
    EXPECT_TRUE(describe(evaluation).arguments.filter(QStringLiteral("--threads")).isEmpty())
        << "recorded runtimes have threads of their own";
}

TEST(LearningJobs, SayTheirSettingByTheOptionsOfItsDomain) {
    const JobSetting dense = sparse_job_setting(Operator::SDDMM, 64);
    EXPECT_EQ(dense.setting.text, "sddmm dense=64");
    EXPECT_EQ(dense.of_model, QStringList{QStringLiteral("--operator=sddmm")});
    EXPECT_EQ(dense.others, QStringList{QStringLiteral("--dense=64")});
    EXPECT_EQ(sparse_setting(dense.setting).dense, 64);
    EXPECT_TRUE(sparse_job_setting(Operator::SpMV, 64).others.isEmpty()) << "SpMV has no dense matrix";
    const auto records = make_records_domain();
    const JobSetting space = job_setting(*records, {"records", "gemm4096"});
    EXPECT_EQ(space.of_model, QStringList{QStringLiteral("--space=gemm4096")});
    TrainJob job = training();
    job.setting = space;
    for (const char* word : {"--domain=records", "--space=gemm4096"})
        EXPECT_TRUE(describe(job).arguments.contains(QLatin1String(word))) << word;
}

TEST(LearningJobs, AreRefusedWithTheReason) {
    struct Case {
        JobRequest request;
        const char* reason;
    };
    const Case cases[] = {
        {training(), ""},
        {with(training(), [](TrainJob& job) { job.workspace.clear(); }), "No workspace is open"},
        {with(training(), [](TrainJob& job) { job.machines.clear(); }), "nothing to learn from"},
        {with(training(), [](TrainJob& job) { job.setting = sparse_job_setting(Operator::SpMM, 0); }),
         "the extent of the dense index is '0'"},
        {with(training(), [](TrainJob& job) { job.name = QStringLiteral(" "); }), "has no name"},
        {with(training(), [](TrainJob& job) { job.name = QStringLiteral("a,b"); }), "expected no comma"},
        {with(training(), [](TrainJob& job) { job.name = QStringLiteral("first"); }),
         "a model “first” already"},
        {fine_tuning(), ""},
        {with(fine_tuning(), [](FineTuneJob& job) { job.model.clear(); }), "train one first"},
        {with(fine_tuning(), [](FineTuneJob& job) { job.machine.clear(); }), "No machine is chosen"},
        {with(fine_tuning(), [](FineTuneJob& job) { job.workloads = 0; }), "0 matrices to learn from"},
        {with(fine_tuning(),
              [](FineTuneJob& job) {
                  job.workloads = 0;
                  job.setting = {};
              }),
         "0 workloads to learn from"},
        {SearchJob{.workspace = workspace, .model = {}, .workloads = {}}, "train one first"},
        {SearchJob{.workspace = workspace,
                   .model = QStringLiteral("first"),
                   .workloads = {},
                   .setting = sparse_job_setting(Operator::SpMM, 256)},
         "No matrices are chosen"},
        {EvaluateJob{.workspace = workspace, .models = {}, .workloads = {}}, "train one first"},
        {EvaluateJob{.workspace = workspace, .models = {QStringLiteral("first")}, .workloads = {}}, ""},
        {EvaluateJob{.workspace = workspace,
                     .models = {QStringLiteral("first")},
                     .workloads = {},
                     .k = 0,
                     .setting = sparse_job_setting(Operator::SpMM, 256)},
         "0 schedules a matrix"},
        {EvaluateJob{.workspace = workspace,
                     .models = {QStringLiteral("first")},
                     .workloads = {},
                     .split = QStringLiteral("waco")},
         ""},
    };
    for (const Case& one : cases) {
        const std::string reason = one.request.refusal(learner_conditions).value_or(QString()).toStdString();
        if (*one.reason == '\0')
            EXPECT_EQ(reason, "");
        else
            EXPECT_THAT(reason, HasSubstr(one.reason));
    }
    LaunchConditions no_worker = learner_conditions;
    no_worker.worker_program.clear();
    EXPECT_THAT(launch_refusal(training(), no_worker).value_or(QString()).toStdString(),
                HasSubstr("is missing"));
}

TEST(LearningJobs, NothingComputesBesideAMeasurement) {
    for (const JobKind& other :
         {JobKind::Collect, JobKind::Probe, JobKind::Train, JobKind::FineTune, JobKind::Search,
          JobKind::Evaluate, JobKind::Calibrate, JobKind::Import, simulate_kind()}) {
        EXPECT_TRUE(exclude_each_other(of_kind(JobKind::Collect), of_kind(other)));
        EXPECT_TRUE(exclude_each_other(of_kind(other), of_kind(JobKind::Evaluate)));
    }
    EXPECT_TRUE(exclude_each_other(of_kind(JobKind::Train), of_kind(JobKind::FineTune)));
    EXPECT_TRUE(exclude_each_other(of_kind(JobKind::Import), of_kind(simulate_kind())));
    EXPECT_FALSE(exclude_each_other(of_kind(JobKind::Train), of_kind(JobKind::Search)))
        << "one can look at what is known while another model learns";
    EXPECT_FALSE(exclude_each_other(of_kind(JobKind::Import), of_kind(JobKind::Train)));
}

TEST(LearningJobs, SayWhatTheyWaitFor) {
    const Job train = of_kind(JobKind::Train);
    const Job collect = of_kind(JobKind::Collect);
    EXPECT_THAT(why_they_exclude_each_other(collect, train).toStdString(), HasSubstr("would spoil it"));
    EXPECT_THAT(why_they_exclude_each_other(train, collect).toStdString(),
                HasSubstr("spoil the measurement"));
    EXPECT_THAT(why_they_exclude_each_other(train, train).toStdString(), HasSubstr("saves no time"));
    const Job import = of_kind(JobKind::Import);
    EXPECT_EQ(why_they_exclude_each_other(import, collect), why_they_exclude_each_other(train, collect));
    EXPECT_EQ(why_they_exclude_each_other(collect, import), why_they_exclude_each_other(collect, train));
    EXPECT_THAT(why_they_exclude_each_other(import, import).toStdString(), HasSubstr("one job at a time"));
}

TEST(LearningJobs, TellWhatBecameOfThem) {
    struct Case {
        JobKind kind;
        const char* end;
        JobState state;
        const char* says;
    };
    const Case cases[] = {
        {JobKind::Train,
         R"({"event":"end","ending":"finished","epochs":40,"seconds":61,"metrics":{"ordered_pair_accuracy":0.831},
             "complete":true,"stopped":false})",
         JobState::Finished, "83.1\u00A0% of the pairs"},
        {JobKind::Train,
         R"({"event":"end","ending":"stopped early","epochs":12,"seconds":61,"complete":true,"stopped":false})",
         JobState::Finished, "stopped early"},
        {JobKind::Train,
         R"({"event":"end","ending":"stopped","epochs":3,"seconds":6,"complete":false,"stopped":true})",
         JobState::Stopped, "took 6.00\u00A0s"},
        {JobKind::FineTune,
         R"({"event":"end","before":{"ordered_pair_accuracy":0.61},"after":{"ordered_pair_accuracy":0.78},
             "seconds":3,"complete":true,"stopped":false})",
         JobState::Finished, "61.0\u00A0% before, 78.0\u00A0% after"},
        {JobKind::FineTune,
         R"({"event":"end","before":{"ordered_pair_accuracy":0.641},"after":{"ordered_pair_accuracy":0.87},
             "asked":5,"used":4,"seconds":3,"complete":true,"stopped":false})",
         JobState::Finished, "64.1\u00A0% before, 87.0\u00A0% after · asked for 5 and used 4"},
        {JobKind::FineTune,
         R"({"event":"end","before":{"ordered_pair_accuracy":0.8},"after":{"ordered_pair_accuracy":0.7},
             "seconds":3,"complete":true,"stopped":false})",
         JobState::Finished, "fine-tuning made the model worse: 80.0\u00A0% of the test pairs"},
        {JobKind::FineTune,
         R"({"event":"end","before":{"ordered_pair_accuracy":0.8},"after":{"ordered_pair_accuracy":0.91},
             "simulator_alone":{"ordered_pair_accuracy":0.89},
             "seconds":3,"complete":true,"stopped":false})",
         JobState::Finished,
         "the learned correction gained 2.0 percentage points over the calibrated simulator (89.0\u00A0%)"},
        {JobKind::Train, nullptr, JobState::Failed, "The last saved state of the model is kept"},
    };
    for (const Case& one : cases) {
        RunReport report;
        if (one.end != nullptr)
            take_event(report, QJsonDocument::fromJson(one.end).object());
        Job job = of_kind(one.kind);
        job.state = JobState::Running;
        const RunOutcome outcome = outcome_of(job, report, {});
        EXPECT_EQ(outcome.state, one.state);
        EXPECT_THAT((outcome.summary + outcome.error).toStdString(), HasSubstr(one.says));
    }
}

TEST(LearningJobs, AreKeptInFilesByTheirNames) {
    for (const JobKind& kind :
         {JobKind::Train, JobKind::FineTune, JobKind::Search, JobKind::Evaluate, JobKind::Calibrate}) {
        Job job = of_kind(kind);
        job.id = QUuid::createUuid();
        const auto back = job_from_json(to_json(job));
        ASSERT_TRUE(back.has_value());
        EXPECT_EQ(back->kind, kind);
    }
}

} // namespace
} // namespace sparsight::testing
