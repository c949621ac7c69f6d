#include "core/store/store_fixture.h"
#include "store/runs.h"
#include "store/sqlite.h"
#include "store_fixture.h"

#include <array>
#include <cmath>
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <sys/wait.h>

namespace sparsight {
namespace {

using testing::must;

class RunsTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
};

TEST_F(RunsTest, SayWhatTheyWereAskedAndHowTheyEnded) {
    const RunId run = must(start_run(workspace_, "collect", R"({"seed":1})"));
    EXPECT_EQ(must(list_runs(workspace_)).front().state, RunState::Running);
    EXPECT_EQ(must(list_runs(workspace_)).front().ended, "");
    must(end_run(workspace_, run, RunState::Failed, "the disk is full"));
    const RunRecord record = must(list_runs(workspace_)).front();
    EXPECT_EQ(record.id, run);
    EXPECT_EQ(record.kind, "collect");
    EXPECT_EQ(record.parameters, R"({"seed":1})");
    EXPECT_EQ(record.state, RunState::Failed);
    EXPECT_EQ(record.message, "the disk is full");
    EXPECT_LE(record.started, record.ended);
}

TEST_F(RunsTest, AreFoundAgainUntilTheyFinish) {
    const RunId killed = must(start_run(workspace_, "collect", "{1}"));
    must(start_run(workspace_, "collect", "{2}"));
    must(start_run(workspace_, "train", "{1}"));
    EXPECT_EQ(must(unfinished_run(workspace_, "collect", "{1}"))->id, killed);
    must(end_run(workspace_, killed, RunState::Stopped));
    EXPECT_EQ(must(unfinished_run(workspace_, "collect", "{1}"))->state, RunState::Stopped);
    must(resume_run(workspace_, killed));
    EXPECT_EQ(must(unfinished_run(workspace_, "collect", "{1}"))->state, RunState::Running);
    must(end_run(workspace_, killed, RunState::Finished));
    EXPECT_FALSE(must(unfinished_run(workspace_, "collect", "{1}")));
}

TEST_F(RunsTest, KeepTheirMetricsByNameAndStep) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    const RunId other = must(start_run(workspace_, "train", "{}"));
    must(record_metric(workspace_, run, "loss", {2, 0.25}));
    must(record_metric(workspace_, run, "loss", {1, 0.75}));
    must(record_metric(workspace_, run, "loss", {1, 0.5}));
    must(record_metric(workspace_, run, "accuracy", {1, 0.9}));
    must(record_metric(workspace_, other, "loss", {1, 7}));
    EXPECT_EQ(must(metric_names(workspace_, run)), (std::vector<std::string>{"accuracy", "loss"}));
    const auto loss = must(list_metric(workspace_, run, "loss"));
    ASSERT_EQ(loss.size(), 2U);
    EXPECT_EQ(loss[0].step, 1);
    EXPECT_EQ(loss[0].value, 0.5);
    EXPECT_EQ(loss[1].value, 0.25);
}

TEST_F(RunsTest, KeepManyMetricsAtOnceOrNone) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    const std::vector<NamedMetric> metrics{{"loss", {1, 0.5}}, {"loss", {2, 0.25}}, {"rate", {1, 1e-4}}};
    must(record_metrics(workspace_, run, metrics));
    EXPECT_EQ(must(list_metric(workspace_, run, "loss")).size(), 2U);
    EXPECT_EQ(must(list_metric(workspace_, run, "rate")).front().value, 1e-4);
    EXPECT_FALSE(record_metrics(workspace_, RunId{99}, metrics));
    EXPECT_TRUE(must(metric_names(workspace_, RunId{99})).empty());
}

TEST_F(RunsTest, ForgetWhatStandsBehindAStep) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    const RunId other = must(start_run(workspace_, "train", "{}"));
    for (const RunId each : {run, other})
        for (const char* name : {"loss", "rate"})
            for (int step = 1; step <= 3; ++step)
                must(record_metric(workspace_, each, name, {step, 1}));
    must(remove_metric_beyond(workspace_, run, "loss", 1));
    EXPECT_EQ(must(list_metric(workspace_, run, "loss")).size(), 1U);
    EXPECT_EQ(must(list_metric(workspace_, run, "rate")).size(), 3U);
    EXPECT_EQ(must(list_metric(workspace_, other, "loss")).size(), 3U);
}

TEST_F(RunsTest, AreForgottenWithTheirMetrics) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    const RunId other = must(start_run(workspace_, "train", "{}"));
    for (const RunId one : {run, other})
        must(record_metric(workspace_, one, "loss", {1, 0.5}));
    must(remove_run(workspace_, run));
    ASSERT_EQ(must(list_runs(workspace_)).size(), 1U);
    EXPECT_EQ(must(list_runs(workspace_)).front().id, other);
    EXPECT_TRUE(must(metric_names(workspace_, run)).empty());
    EXPECT_EQ(must(metric_names(workspace_, other)).size(), 1U);
}

TEST_F(RunsTest, KeepMetricsThatAreNoNumbers) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    must(record_metric(workspace_, run, "loss", {1, std::numeric_limits<double>::quiet_NaN()}));
    must(record_metric(workspace_, run, "loss", {2, std::numeric_limits<double>::infinity()}));
    const auto loss = must(list_metric(workspace_, run, "loss"));
    ASSERT_EQ(loss.size(), 2U);
    EXPECT_TRUE(std::isnan(loss[0].value));
    EXPECT_TRUE(std::isinf(loss[1].value));
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunHolders : public StoreTest {
protected:
    RunHolders()
        : workspace_(create())
        , run_(must(start_run(workspace_, "train", "{}"))) {}

    Workspace workspace_;
    RunId run_;
};

TEST_F(RunHolders, ARunIsHeldAsLongAsTheHoldLives) {
    {
        const auto hold = must(RunHold::take(workspace_, run_));
        const auto holders = must(live_holders(workspace_));
        ASSERT_EQ(holders.size(), 1U);
        EXPECT_EQ(holders[0].run, run_);
        EXPECT_EQ(holders[0].process, ::getpid());
        EXPECT_FALSE(holders[0].since.empty());
        EXPECT_THAT(error_text(RunHold::take(workspace_, run_)),
                    HasSubstr(fmt::format("is worked at by process {} since 20", ::getpid())));
        const RunId other = must(start_run(workspace_, "train", "{}"));
        EXPECT_TRUE(RunHold::take(workspace_, other)) << "another run is free";
    }
    EXPECT_THAT(must(live_holders(workspace_)), IsEmpty());
    EXPECT_TRUE(RunHold::take(workspace_, run_));
}

TEST_F(RunHolders, WhatAnotherHasTakenSinceIsLeftToIt) {
    const std::string name = fmt::format("run holder {}", static_cast<std::int64_t>(run_));
    {
        const auto hold = must(RunHold::take(workspace_, run_));
        must(set_setting(workspace_, name, "another's"));
    }
    EXPECT_EQ(must(setting(workspace_, name)), "another's");
}

TEST_F(RunHolders, AKilledProcessHoldsNothing) {
    const auto file = workspace_.path();
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        Workspace its = must(Workspace::open(file));
        const auto hold = must(RunHold::take(its, run_));
        (void)!::write(pipe[1], "x", 1);
        ::pause();
        ::_exit(0);
    }
    ::close(pipe[1]); // so that reading ends where the child does
    char held = 0;
    ASSERT_EQ(::read(pipe[0], &held, 1), 1);
    const auto holders = must(live_holders(workspace_));
    ASSERT_EQ(holders.size(), 1U);
    EXPECT_EQ(holders[0].process, child);
    EXPECT_FALSE(RunHold::take(workspace_, run_));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_THAT(must(live_holders(workspace_)), IsEmpty());
    EXPECT_TRUE(RunHold::take(workspace_, run_));
    ::close(pipe[0]);
}

} // namespace sparsight::testing

namespace sparsight {
namespace {

using testing::error_text;

class TrainingStatesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "train", "{}"));
    const std::vector<std::byte> early_{std::byte{1}, std::byte{0}, std::byte{255}};
    const std::vector<std::byte> late_{std::byte{2}};
};

TEST_F(TrainingStatesTest, TheNewestOfARunIsKeptUntilItIsRemoved) {
    EXPECT_FALSE(must(find_training_state(workspace_, run_)));
    must(save_training_state(workspace_, run_, early_));
    EXPECT_EQ(must(find_training_state(workspace_, run_))->state, early_);
    const std::string saved = must(find_training_state(workspace_, run_))->saved;
    must(save_training_state(workspace_, run_, late_));
    EXPECT_EQ(must(find_training_state(workspace_, run_))->state, late_);
    EXPECT_LE(saved, must(find_training_state(workspace_, run_))->saved);
    must(remove_training_state(workspace_, run_));
    EXPECT_FALSE(must(find_training_state(workspace_, run_)));
}

TEST_F(TrainingStatesTest, EachRunHasItsOwn) {
    const RunId other = must(start_run(workspace_, "train", "{}"));
    must(save_training_state(workspace_, run_, early_));
    must(save_training_state(workspace_, other, late_));
    must(remove_training_state(workspace_, other));
    EXPECT_EQ(must(find_training_state(workspace_, run_))->state, early_);
    must(workspace_.database().run("DELETE FROM runs WHERE id = ?", run_));
    EXPECT_FALSE(must(find_training_state(workspace_, run_))) << "it goes with its run";
    EXPECT_THAT(error_text(save_training_state(workspace_, RunId{99}, early_)), HasSubstr("FOREIGN KEY"));
}

} // namespace
} // namespace sparsight
