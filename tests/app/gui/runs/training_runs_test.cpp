#include "gui/runs/training_runs.h"

#include "app/gui/jobs/jobs_fixture.h"
#include "app/gui/workspace/only_sparse.h"
#include "gui/runs/run_actions.h"
#include "gui/workspace/workspace_session.h"
#include "store/runs.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QThreadPool>
#include <array>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace sparsight::testing {
namespace {

class TrainingRunsTest : public JobsTest {
protected:
    /// What is read in the background asks the domain, which goes with this.
    ~TrainingRunsTest() override { QThreadPool::globalInstance()->waitForDone(); }

    void open() {
        session_.open(workspace_file());
        ASSERT_TRUE(wait_until([&] { return session_.is_open(); }));
    }

    RunId store_run(const char* parameters, RunState state = RunState::Finished) {
        auto workspace = Workspace::open(workspace_file().toStdString());
        EXPECT_TRUE(workspace.has_value());
        const auto run = start_run(*workspace, "train", parameters);
        EXPECT_TRUE(run.has_value());
        for (int epoch = 1; epoch <= 3; ++epoch) {
            EXPECT_TRUE(record_metric(*workspace, *run, "epoch/step", {epoch, 2.0 * epoch}).has_value());
            EXPECT_TRUE(record_metric(*workspace, *run, "epoch/seconds", {epoch, 1.5 * epoch}).has_value());
            EXPECT_TRUE(record_metric(*workspace, *run, "validation/ordered_pair_accuracy",
                                      {epoch, 0.5 + 0.1 * epoch})
                            .has_value());
        }
        for (int step = 1; step <= 6; ++step)
            EXPECT_TRUE(record_metric(*workspace, *run, "loss", {step, 7.0 - step}).has_value());
        if (state != RunState::Running) {
            EXPECT_TRUE(end_run(*workspace, *run, state).has_value());
        }
        return *run;
    }

    [[nodiscard]] TrainJob request(const char* name) const {
        TrainJob job;
        job.workspace = workspace_file();
        job.name = QString::fromLatin1(name);
        job.machines = {QStringLiteral("here")};
        return job;
    }

    DomainRegistry domains_ = only_sparse();
    WorkspaceSession session_{domains_};
};

TEST_F(TrainingRunsTest, ReadsPastRunsWithTheirNumbers) {
    const RunId old = store_run(R"({"name":"first","method":"fomaml","architecture":"statistics",
        "machines":["a","b"],"epochs":80})");
    JobService jobs(options());
    TrainingRuns runs(session_, jobs);
    open();
    ASSERT_TRUE(wait_until([&] { return !runs.stored().runs.empty(); }));
    const TrainingRun& run = runs.stored().runs.front();
    EXPECT_EQ(run.id, old);
    EXPECT_EQ(run.name, QStringLiteral("first"));
    EXPECT_EQ(run.method, QStringLiteral("fomaml"));
    EXPECT_EQ(run.machines, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    EXPECT_EQ(run.epochs, 3);
    EXPECT_EQ(run.epochs_planned, 80);
    EXPECT_DOUBLE_EQ(run.seconds, 4.5);
    EXPECT_DOUBLE_EQ(run.accuracy.value_or(0), 0.8);
    EXPECT_FALSE(run.has_model);

    EXPECT_EQ(runs.curves(old), nullptr) << "they are read first";
    ASSERT_TRUE(wait_until([&] { return runs.curves(old) != nullptr; }));
    EXPECT_EQ(runs.curves(old)->losses(RunAxis::Step).y.front(), 6);
}

TEST_F(TrainingRunsTest, KnowsOfAProcessElsewhereThatWorksAtARun) {
    const RunId held = store_run(R"({"name":"held"})", RunState::Running);
    store_run(R"({"name":"left"})", RunState::Running);
    auto workspace = Workspace::open(workspace_file().toStdString());
    ASSERT_TRUE(workspace.has_value());
    const auto hold = RunHold::take(*workspace, held); // this process stands for one in a terminal
    ASSERT_TRUE(hold.has_value()) << hold.error().text();
    JobService jobs(options());
    TrainingRuns runs(session_, jobs);
    open();
    ASSERT_TRUE(wait_until([&] { return runs.stored().runs.size() == 2; }));
    EXPECT_EQ(runs.stored().runs[0].worker, 0) << "it was killed";
    EXPECT_EQ(runs.stored().runs[1].worker, ::getpid());
}

/// That a process was killed changes no file.
TEST_F(TrainingRunsTest, SeesThatAProcessElsewhereWasKilled) {
    const RunId held = store_run(R"({"name":"held"})", RunState::Running);
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        auto workspace = Workspace::open(workspace_file().toStdString());
        const auto hold = RunHold::take(*workspace, held);
        (void)!::write(pipe[1], hold ? "x" : "-", 1);
        ::pause();
        ::_exit(0);
    }
    char said = 0;
    ASSERT_EQ(::read(pipe[0], &said, 1), 1);
    ASSERT_EQ(said, 'x');
    JobService jobs(options());
    TrainingRuns runs(session_, jobs);
    int readings = 0;
    QObject::connect(&session_, &WorkspaceSession::measurements_changed, &runs, [&] { ++readings; });
    open();
    ASSERT_TRUE(wait_until([&] { return readings >= 2 && !runs.is_reading(); })) << "the file rests";
    ASSERT_EQ(runs.stored().runs.size(), 1U);
    EXPECT_EQ(runs.stored().runs[0].worker, child);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(wait_until([&] { return runs.stored().runs[0].worker == 0; }, 10));
    EXPECT_EQ(readings, 2) << "nothing was written";
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_F(TrainingRunsTest, CountsWhatThereIsToLearnFrom) {
    JobService jobs(options());
    TrainingRuns runs(session_, jobs);
    Heard heard(jobs);
    const auto job = *jobs.start(small_collection(3));
    ASSERT_TRUE(wait_until([&] { return heard.finished[job] == 1; }, 60));
    open();
    ASSERT_TRUE(wait_until([&] { return !runs.stored().sources.empty(); }));
    const LearningSource& source = runs.stored().sources.front();
    EXPECT_EQ(source.setting.text, "spmm dense=8");
    EXPECT_EQ(source.workloads, 1);
    EXPECT_EQ(source.measurements, 4) << "three and fixed CSR";
}

TEST_F(TrainingRunsTest, FollowsARunThroughTheEventsOfItsJob) {
    const RunId run = store_run(R"({"name":"live"})", RunState::Running);
    const std::string script =
        R"(echo '{"event":"start","job":"train","run":)" + std::to_string(static_cast<std::int64_t>(run)) +
        R"(,"name":"live","epochs":9,"steps_per_epoch":2,"notes":["From 2 matrices."],"resumed_at":{"epoch":3,"step":0}}'
echo '{"event":"steps","first":7,"losses":[0.5,0.25],"epoch":4,"seconds":1}'
echo '{"event":"progress","stage":"epoch 4 of 9","done":8,"total":18,"seconds_left":5}'
echo '{"event":"epoch","epoch":4,"step":8,"training_loss":0.3,"rate":0.001,"seconds":1,"examples_per_second":640,"memory_bytes":1e8,"validation":{"overall":{"ordered_pair_accuracy":0.9}},"is_best":true}'
echo '{"event":"end","run":1,"model":"live","ending":"finished","epochs":4,"seconds":1,"complete":true,"stopped":false}'
)";
    JobService jobs(options_with_worker(script.c_str()));
    TrainingRuns runs(session_, jobs);
    open();
    Heard heard(jobs);
    const auto job = jobs.start(request("live"));
    ASSERT_TRUE(job.has_value()) << job.error().toStdString();
    ASSERT_TRUE(wait_until([&] { return heard.finished[*job] == 1; }));
    const LiveRun* live = runs.live_of(*job);
    ASSERT_NE(live, nullptr);
    EXPECT_EQ(live->run, run);
    EXPECT_EQ(runs.live(run), live);
    EXPECT_EQ(live->epochs, 9);
    EXPECT_EQ(live->epoch, 4);
    EXPECT_EQ(live->step, 8);
    EXPECT_EQ(live->rate, 0.001);
    EXPECT_EQ(live->memory_bytes, 1e8);
    EXPECT_EQ(live->best_epoch, 4);
    EXPECT_EQ(live->notes, QStringList{QStringLiteral("From 2 matrices.")});
    ASSERT_TRUE(wait_until([&] { return runs.curves(run) != nullptr; }));
    const RunCurve losses = runs.curves(run)->losses(RunAxis::Step);
    EXPECT_THAT(losses.y, ::testing::ElementsAre(6, 5, 4, 3, 2, 1, 0.5, 0.25))
        << "what is stored, and then what it tells";
    EXPECT_EQ(runs.curves(run)->seconds(), 4.5 + 1);
}

/// A training goes on whatever the window shows, and is there again with its workspace.
TEST_F(TrainingRunsTest, ARunIsFollowedAcrossOtherWorkspaces) {
    const RunId run = store_run(R"({"name":"live"})", RunState::Running);
    JobService jobs(options_with_worker("exec sleep 60")); // its events are made here
    TrainingRuns runs(session_, jobs);
    const auto job = jobs.start(request("live"));
    ASSERT_TRUE(job.has_value());
    const auto tell_of_step = [&](int step) {
        Q_EMIT jobs.event_received(*job, {{QStringLiteral("event"), QStringLiteral("steps")},
                                          {QStringLiteral("first"), step},
                                          {QStringLiteral("losses"), QJsonArray{0.5}}});
    };
    Q_EMIT jobs.event_received(*job, {{QStringLiteral("event"), QStringLiteral("start")},
                                      {QStringLiteral("run"), static_cast<qint64>(run)},
                                      {QStringLiteral("epochs"), 10}});
    tell_of_step(1); // before its workspace is open
    EXPECT_EQ(runs.live(run), nullptr);
    open();
    ASSERT_TRUE(wait_until([&] { return runs.curves(run) != nullptr; }));
    EXPECT_EQ(runs.curves(run)->steps(), 1);
    ASSERT_NE(runs.live(run), nullptr);
    tell_of_step(2);
    make_workspace(path("other.sparsight").toStdString());
    session_.open(path("other.sparsight"));
    ASSERT_TRUE(wait_until([&] { return session_.path() == path("other.sparsight"); }));
    tell_of_step(3);
    EXPECT_EQ(runs.live(run), nullptr) << "the run of that number is another one here";
    EXPECT_FALSE(runs.job_of(run).has_value());
    session_.open(workspace_file());
    ASSERT_TRUE(
        wait_until([&] { return session_.path() == workspace_file() && runs.curves(run) != nullptr; }));
    tell_of_step(4);
    EXPECT_EQ(runs.curves(run)->steps(), 4);
    ASSERT_TRUE(runs.job_of(run).has_value());
    EXPECT_TRUE(is_active(runs.job_of(run)->state));
    jobs.kill(*job);
}

TEST_F(TrainingRunsTest, AJobThatHasToldNothingYetWorksAtTheRunOfItsName) {
    const RunId run = store_run(R"({"name":"stopped"})", RunState::Stopped);
    JobService jobs(options_with_worker("exec sleep 60"));
    TrainingRuns runs(session_, jobs);
    open();
    ASSERT_TRUE(wait_until([&] { return runs.run(run) != nullptr; }));
    EXPECT_FALSE(runs.job_of(run).has_value());
    const auto job = jobs.start(request("stopped"));
    ASSERT_TRUE(job.has_value());
    ASSERT_TRUE(runs.job_of(run).has_value());
    EXPECT_EQ(runs.job_of(run)->id, *job);
    jobs.kill(*job);
}

TEST(JobOfRun, TellsNumbersAsTheCommandReadsThem) {
    TrainingRun run;
    run.name = QStringLiteral("first");
    run.parameters =
        QJsonDocument::fromJson(R"({"seed":9007199254740993,"epochs":100000,"rate":0.001})").object();
    const QStringList words = describe(job_of_run(QStringLiteral("w.sparsight"), run)).arguments;
    for (const char* word : {"--seed=9007199254740993", "--epochs=100000", "--rate=0.001"})
        EXPECT_TRUE(words.contains(QLatin1String(word))) << word << " in " << words.join(u' ').toStdString();
}

/// Twenty tellings a second of a trainer that makes a hundred thousand steps.
TEST_F(TrainingRunsTest, TellsOfAHundredThousandStepsAtMostThirtyTimesASecond) {
    const RunId run = store_run(R"({"name":"fast"})", RunState::Running);
    JobService jobs(options_with_worker("exec sleep 20")); // its events are made here
    TrainingRuns runs(session_, jobs);
    open();
    const auto job = jobs.start(request("fast"));
    ASSERT_TRUE(job.has_value());
    const auto tell = [&](const QJsonObject& event) { Q_EMIT jobs.event_received(*job, event); };
    tell({{QStringLiteral("event"), QStringLiteral("start")},
          {QStringLiteral("run"), static_cast<qint64>(run)},
          {QStringLiteral("epochs"), 10}});
    int updates = 0;
    QObject::connect(&runs, &TrainingRuns::curves_changed, &runs, [&] { ++updates; });
    QElapsedTimer clock;
    clock.start();
    constexpr int batch = 100;
    for (int first = 1; first < 100'000; first += batch) {
        QJsonArray losses;
        for (int i = 0; i < batch; ++i)
            losses.append(1.0 / (first + i));
        tell({{QStringLiteral("event"), QStringLiteral("steps")},
              {QStringLiteral("first"), first},
              {QStringLiteral("losses"), losses},
              {QStringLiteral("seconds"), first / 1000.0}});
        if (first % 5000 == 1)
            QTest::qWait(5);
    }
    ASSERT_TRUE(wait_until([&] {
        const RunCurves* curves = runs.curves(run);
        return curves != nullptr && curves->steps() == 100'000;
    }));
    QTest::qWait(120);
    const double seconds = static_cast<double>(clock.elapsed()) / 1000;
    EXPECT_GE(updates, 1);
    EXPECT_LE(updates, 30 * seconds) << "in " << seconds << " s";
    const int after = updates;
    tell({{QStringLiteral("event"), QStringLiteral("steps")},
          {QStringLiteral("first"), 100'001},
          {QStringLiteral("losses"), QJsonArray{0.5}}});
    ASSERT_TRUE(wait_until([&] { return updates == after + 1; })) << "the last one is always told";
    EXPECT_EQ(runs.curves(run)->steps(), 100'001);
    jobs.kill(*job);
}

TEST_F(TrainingRunsTest, ForgetsTheRunsOfAnotherWorkspace) {
    store_run(R"({"name":"first"})");
    JobService jobs(options());
    TrainingRuns runs(session_, jobs);
    open();
    ASSERT_TRUE(wait_until([&] { return !runs.stored().runs.empty(); }));
    make_workspace(path("other.sparsight").toStdString());
    session_.open(path("other.sparsight"));
    ASSERT_TRUE(wait_until([&] { return session_.path() == path("other.sparsight"); }));
    EXPECT_TRUE(runs.stored().runs.empty());
}

TEST(EvaluationWish, PutsEvaluationsThatWereStoppedBehindTheOthers) {
    const auto evaluation = [](int run, RunState state, const char* model) {
        StoredEvaluation one;
        one.run = RunId{run};
        one.state = state;
        one.models = {QLatin1String(model)};
        return one;
    };
    std::vector<StoredEvaluation> evaluations{
        evaluation(4, RunState::Stopped, "first"), evaluation(3, RunState::Running, "second"),
        evaluation(2, RunState::Finished, "first"), evaluation(1, RunState::Finished, "second")};
    const auto order = [&](const EvaluationWish& wish) {
        wish.sort(evaluations);
        std::vector<int> runs;
        for (const StoredEvaluation& one : evaluations)
            runs.push_back(static_cast<int>(one.run));
        return runs;
    };
    EXPECT_EQ(order({}), (std::vector{3, 2, 1, 4}));
    EvaluationWish wish;
    wish.model = QStringLiteral("first");
    EXPECT_EQ(order(wish), (std::vector{2, 4, 3, 1})) << "those of the model come first all the same";
}

TEST(EvaluationWish, PutsOneWithTurnsBeforeANewerOneWithoutThem) {
    const auto evaluation = [](int run, const QStringList& models) {
        StoredEvaluation one;
        one.run = RunId{run};
        one.models = models;
        one.state = RunState::Finished;
        return one;
    };
    std::vector<StoredEvaluation> evaluations{
        evaluation(3, {QStringLiteral("first")}), evaluation(2, {QStringLiteral("third")}),
        evaluation(1, {QStringLiteral("first"), QStringLiteral("second")})};
    evaluations[0].in_turns = RunId{1};
    std::vector<StoredEvaluation> of_second = evaluations;
    EXPECT_EQ(EvaluationWish{.model = QStringLiteral("second")}.sort(of_second), std::nullopt)
        << "the newer one has other models";
    EXPECT_EQ(of_second[0].run, RunId{1});
    EXPECT_EQ(EvaluationWish().sort(evaluations), RunId{3});
    ASSERT_EQ(evaluations.size(), 3U);
    EXPECT_EQ(evaluations[0].run, RunId{1});
    EXPECT_EQ(evaluations[1].run, RunId{3}) << "the others stay in their order";
    EXPECT_EQ(evaluations[2].run, RunId{2});
}

} // namespace
} // namespace sparsight::testing
