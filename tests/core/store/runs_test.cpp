// What learning leaves in a workspace: runs, models, splits, choices.
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/sqlite.h"
#include "store/workload_families.h"
#include "store_fixture.h"
#include "support/rematches.h"

#include <array>
#include <cmath>
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <sys/wait.h>

namespace sparsight {
namespace {

using testing::list_rematch;
using testing::record_rematch;
using testing::RematchTime;

using testing::error_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using testing::numbered_schedule;

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

class RunHolders : public testing::StoreTest {
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

class ModelsTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
};

TEST_F(ModelsTest, KeepTheirWeightsAndTheirDescent) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    const std::vector<std::byte> weights{std::byte{1}, std::byte{0}, std::byte{255}};
    const ModelId parent = must(add_model(workspace_, {"meta", run, {}, R"({"layers":14})"}, weights));
    const ModelId child = must(add_model(workspace_, {"tuned", {}, parent, "{}"}, {}));
    EXPECT_EQ(must(load_weights(workspace_, parent)), weights);
    EXPECT_TRUE(must(load_weights(workspace_, child)).empty());
    const auto models = must(list_models(workspace_));
    ASSERT_EQ(models.size(), 2U);
    EXPECT_EQ(models[0].name, "meta");
    EXPECT_EQ(models[0].run, run);
    EXPECT_EQ(models[0].parent, std::nullopt);
    EXPECT_EQ(models[0].description, R"({"layers":14})");
    EXPECT_EQ(models[0].bytes, 3U);
    EXPECT_EQ(models[1].run, std::nullopt);
    EXPECT_EQ(models[1].parent, parent);
    EXPECT_EQ(must(find_model(workspace_, "tuned"))->id, child);
}

TEST_F(ModelsTest, TellWhichMatricesAModelOrItsParentLearnedFromInAnyForm) {
    const ModelId parent = must(
        add_model(workspace_, {"parent", {}, {}, R"({"training":{"matrices":["cage8","bcsstk17"]}})"}, {}));
    const ModelId child =
        must(add_model(workspace_, {"child", {}, parent, R"({"training":{"matrices":["can_1072"]}})"}, {}));
    const ModelLineage lineage = must(ModelLineage::read(workspace_));
    const auto domain = make_sparse_domain();
    const auto families = must(WorkloadFamilies::read(workspace_, *domain));
    const std::vector<std::string> asked{"cage8", "cage8_t", "can_1072", "bcspwr09"};
    EXPECT_EQ(training_workloads_among(lineage, std::array{child}, asked, families),
              (std::vector<std::string>{"cage8", "cage8_t", "can_1072"}));
    EXPECT_EQ(training_workloads_among(lineage, std::array{parent}, asked, families),
              (std::vector<std::string>{"cage8", "cage8_t"}));
    EXPECT_TRUE(training_workloads_among(lineage, {}, asked, families).empty());
}

TEST_F(ModelsTest, HaveNamesOfTheirOwn) {
    must(add_model(workspace_, {"meta", {}, {}, "{}"}, {}));
    EXPECT_THAT(error_text(add_model(workspace_, {"meta", {}, {}, "{}"}, {})),
                HasSubstr("there is a model called meta already"));
    EXPECT_THAT(error_text(load_weights(workspace_, ModelId{42})), HasSubstr("there is no such model"));
}

TEST_F(ModelsTest, AreRemovedWithTheirWeightsButNotWithTheirChildren) {
    const ModelId parent = must(add_model(workspace_, {"meta", {}, {}, "{}"}, std::vector{std::byte{1}}));
    must(add_model(workspace_, {"tuned", {}, parent, "{}"}, {}));
    must(remove_model(workspace_, parent));
    EXPECT_FALSE(must(find_model(workspace_, "meta")));
    EXPECT_FALSE(load_weights(workspace_, parent));
    EXPECT_EQ(must(find_model(workspace_, "tuned"))->parent, std::nullopt);
    must(add_model(workspace_, {"meta", {}, {}, "{}"}, {}));
}

class SplitsTest : public ModelsTest {};

TEST_F(SplitsTest, KeepTheirListsInOrder) {
    std::vector<WorkloadId> ids;
    for (const char* name : {"a", "b", "c"})
        ids.push_back(must(add_matrix_name(workspace_, name, "")));
    Split split{"first", {}};
    split[SplitPart::Total] = {ids[2], ids[0], ids[1]};
    split[SplitPart::Train] = {ids[1], ids[0]};
    split[SplitPart::Test] = {ids[2]};
    must(save_split(workspace_, split));
    EXPECT_EQ(must(find_split(workspace_, "first")), split);
    EXPECT_FALSE(must(find_split(workspace_, "second")));

    split[SplitPart::Train] = {ids[0]};
    must(save_split(workspace_, split));
    EXPECT_EQ(must(find_split(workspace_, "first")), split) << "saving again replaces it";
    EXPECT_EQ(must(split_names(workspace_)), std::vector<std::string>{"first"});
    EXPECT_EQ(must(split_names(workspace_, "sparse")), std::vector<std::string>{"first"});
    EXPECT_TRUE(must(split_names(workspace_, "records")).empty());

    must(remove_workload(workspace_, ids[2]));
    EXPECT_TRUE((*must(find_split(workspace_, "first")))[SplitPart::Test].empty());
}

TEST_F(SplitsTest, AreNotSavedInPart) {
    const WorkloadId matrix = must(add_matrix_name(workspace_, "a", ""));
    Split split{"first", {}};
    split[SplitPart::Train] = {matrix, WorkloadId{99}};
    EXPECT_THAT(error_text(save_split(workspace_, split)), HasSubstr("FOREIGN KEY"));
    EXPECT_FALSE(must(find_split(workspace_, "first")));
}

class ChoicesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "evaluate", "{}"));
    WorkloadId matrix_ = must(add_matrix_name(workspace_, "a", ""));
    ModelId model_ = must(add_model(workspace_, {"meta", {}, {}, "{}"}, {}));
    const std::vector<ChosenSchedule> chosen_{{numbered_schedule(1), -2.5},
                                              {numbered_schedule(2, Operator::SpMM), -1}};
};

TEST_F(ChoicesTest, AreKeptInTheirOrder) {
    EXPECT_THAT(must(list_choices(workspace_, run_, model_, matrix_)), IsEmpty());
    must(record_choices(workspace_, run_, model_, matrix_, chosen_));
    EXPECT_EQ(must(list_choices(workspace_, run_, model_, matrix_)), chosen_);
    EXPECT_EQ(must(list_choices(workspace_, run_)),
              (std::vector<ModelChoice>{{model_, matrix_, 1, chosen_[0]}, {model_, matrix_, 2, chosen_[1]}}));
}

TEST_F(ChoicesTest, ChoosingAgainReplacesAllOfThem) {
    must(record_choices(workspace_, run_, model_, matrix_, chosen_));
    const std::vector<ChosenSchedule> other{{numbered_schedule(3), 7}};
    must(record_choices(workspace_, run_, model_, matrix_, other));
    EXPECT_EQ(must(list_choices(workspace_, run_, model_, matrix_)), other);
}

TEST_F(ChoicesTest, AScoreMayBeMissing) {
    const std::vector<ChosenSchedule> fixed{
        {fixed_csr(Operator::SpMV, 2), std::numeric_limits<double>::quiet_NaN()}};
    must(record_choices(workspace_, run_, model_, matrix_, fixed));
    const auto stored = must(list_choices(workspace_, run_, model_, matrix_));
    ASSERT_EQ(stored.size(), 1U);
    EXPECT_EQ(stored[0].schedule, fixed[0].schedule);
    EXPECT_TRUE(std::isnan(stored[0].score));
}

TEST_F(ChoicesTest, BelongToTheirRunModelAndMatrix) {
    const RunId other_run = must(start_run(workspace_, "evaluate", "{}"));
    const ModelId trees = must(add_model(workspace_, {"trees", {}, {}, "{}"}, {}));
    const WorkloadId other_matrix = must(add_matrix_name(workspace_, "b", ""));
    must(record_choices(workspace_, run_, model_, matrix_, chosen_));
    must(record_choices(workspace_, run_, trees, matrix_, std::span(chosen_).first(1)));
    must(record_choices(workspace_, run_, model_, other_matrix, std::span(chosen_).last(1)));
    must(record_choices(workspace_, other_run, model_, matrix_, std::vector<ChosenSchedule>{}));
    EXPECT_EQ(must(list_choices(workspace_, run_)).size(), 4U);
    EXPECT_THAT(must(list_choices(workspace_, other_run)), IsEmpty());

    must(remove_model(workspace_, trees));
    EXPECT_EQ(must(list_choices(workspace_, run_)).size(), 3U);
    must(remove_workload(workspace_, other_matrix));
    EXPECT_EQ(must(list_choices(workspace_, run_)).size(), 2U);
}

TEST_F(ChoicesTest, AreNotKeptInPart) {
    EXPECT_THAT(error_text(record_choices(workspace_, run_, ModelId{99}, matrix_, chosen_)),
                HasSubstr("FOREIGN KEY"));
    EXPECT_THAT(must(list_choices(workspace_, run_)), IsEmpty());
}

class RematchesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "evaluate", "{}"));
    WorkloadId matrix_ = must(add_matrix_name(workspace_, "a", ""));
    const std::vector<RematchTime> times_{{numbered_schedule(1, Operator::SpMM), {2, 2.5, 0.5}},
                                          {numbered_schedule(2, Operator::SpMM), {1, 0.75, 9}}};
};

TEST_F(RematchesTest, AreListedWithTheTimeOfEveryTurn) {
    EXPECT_THAT(must(list_rematch(workspace_, run_, matrix_)), IsEmpty());
    must(record_rematch(workspace_, run_, matrix_, times_));
    EXPECT_EQ(must(list_rematch(workspace_, run_, matrix_)), times_);
}

TEST_F(RematchesTest, WhatHasNoTimeIsListedWithTheReason) {
    std::vector<RematchTime> times = times_;
    times.push_back({numbered_schedule(3, Operator::SpMM), {}, "7 GiB of memory are not there"});
    must(record_rematch(workspace_, run_, matrix_, times));
    EXPECT_EQ(must(list_rematch(workspace_, run_, matrix_)), times);
}

TEST_F(RematchesTest, ARematchReplacesTheOneBeforeIt) {
    must(record_rematch(workspace_, run_, matrix_, times_));
    must(record_rematch(workspace_, run_, matrix_, std::span(times_).first(1)));
    EXPECT_EQ(must(list_rematch(workspace_, run_, matrix_)), std::vector{times_[0]});
}

TEST_F(RematchesTest, BelongToTheirRunAndMatrix) {
    const RunId other_run = must(start_run(workspace_, "evaluate", "{}"));
    const WorkloadId other_matrix = must(add_matrix_name(workspace_, "b", ""));
    must(record_rematch(workspace_, run_, matrix_, times_));
    EXPECT_THAT(must(list_rematch(workspace_, other_run, matrix_)), IsEmpty());
    EXPECT_THAT(must(list_rematch(workspace_, run_, other_matrix)), IsEmpty());
}

} // namespace
} // namespace sparsight
