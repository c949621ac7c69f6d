// Training, fine-tuning and search as functions, without a program: what they tell and what comes out.
#include "app/learn/two_machines.h"
#include "domains/records/records.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "domains/sparse/workflow/learning/transfer/transfer_request.h"
#include "learning/decisions/decision_learning.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "model/networks/gray_box.h"
#include "store/machines.h"
#include "store/models.h"
#include "support/schedule_runtimes.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"
#include "workflow/learning/fine_tuning/finetune_run.h"
#include "workflow/learning/search/search_job.h"
#include "workflow/learning/training/machine_tasks.h"
#include "workflow/learning/training/training_data.h"
#include "workflow/learning/training/training_run.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Keeps what is told.
class Listener final : public Observer {
public:
    void start(const Json& facts) override { starts.push_back(facts); }
    void event(std::string_view name, const Json& /*members*/) override { events.emplace_back(name); }
    void remark(std::string_view sentence) override { remarks.emplace_back(sentence); }

    std::vector<Json> starts;
    std::vector<std::string> events;
    std::vector<std::string> remarks;
};

class LearningRuns : public StoreTest {
protected:
    LearningRuns() {
        TwoMachines::add_to(workspace_);
        must(domains_.add(make_sparse_domain()));
        learning_.add(std::make_unique<SparseLearning>());
    }

    [[nodiscard]] static RunSettings with(std::span<const SettingDefinition> definitions,
                                          const std::vector<std::pair<std::string, Json>>& values) {
        RunSettings settings(definitions);
        for (const auto& [name, value] : values)
            must(settings.set(name, value));
        return settings;
    }
    [[nodiscard]] Result<TrainOutcome>
    train_model(int epochs, Observer& observer, const std::stop_token& stop = {},
                const std::vector<std::pair<std::string, Json>>& more = {}) {
        std::vector<std::pair<std::string, Json>> values{
            {"dense", 32}, {"epochs", epochs}, {"threads", 1}, {"baseline", false}};
        values.insert(values.end(), more.begin(), more.end());
        const auto settings = with(train_settings(domains_, learning_), values);
        TrainOrder order{settings, must(read_train_request(settings, "model", setting_of(Operator::SpMM, 32),
                                                           *must(learning_.require("sparse"))))};
        auto process = must(TrainingProcess::join(order.request, {}));
        return run_training(workspace_, learning_, order, process, observer, stop);
    }
    [[nodiscard]] Result<FinetuneOutcome> finetune_model(Observer& observer, const std::stop_token& stop = {},
                                                         Redo redo = Redo::Never) {
        const auto settings = with(finetune_settings(domains_), {{"model", "model"},
                                                                 {"machine", "second"},
                                                                 {"matrices", Json::array({"3"})},
                                                                 {"split", "model"},
                                                                 {"dense", 32},
                                                                 {"epochs", 2},
                                                                 {"threads", 1}});
        FinetuneOrder order{settings, must(read_finetune_request(settings))};
        order.request.name = "tuned";
        order.request.against = {};
        order.redo = redo;
        return run_finetuning(workspace_, learning_, order, observer, stop);
    }

    Workspace workspace_ = create();
    DomainRegistry domains_;
    LearningDomains learning_;
};

TEST_F(LearningRuns, TrainingTellsItsObserverAndSaysHowItEnded) {
    Listener listener;
    const TrainOutcome trained = must(train_model(2, listener));
    EXPECT_EQ(trained.end, RunEnd::Finished);
    EXPECT_EQ(trained.model, "model");
    EXPECT_FALSE(trained.metrics.empty());
    ASSERT_THAT(listener.starts, SizeIs(1));
    EXPECT_EQ(listener.starts.front()["name"], "model");
    EXPECT_EQ(std::ranges::count(listener.events, "epoch"), 2);
    EXPECT_THAT(listener.events, Contains("steps"));

    Listener again;
    const TrainOutcome known = must(train_model(2, again));
    EXPECT_EQ(known.end, RunEnd::DoneBefore);
    EXPECT_EQ(known.metrics, trained.metrics);
    EXPECT_THAT(again.events, IsEmpty());
    EXPECT_THAT(again.remarks, ElementsAre(HasSubstr("was trained with these settings before")));

    Listener other;
    const TrainOutcome refused = must(train_model(3, other));
    EXPECT_EQ(refused.end, RunEnd::Refused);
    EXPECT_EQ(refused.reason.fault, Fault::Input);
    EXPECT_THAT(other.starts, IsEmpty());
}

TEST_F(LearningRuns, TrainingThatIsStoppedIsAnOutcomeAndGoesOn) {
    std::stop_source stop;
    class Stopping final : public Observer {
    public:
        explicit Stopping(std::stop_source& stop)
            : stop_(stop) {}
        void event(std::string_view name, const Json& /*members*/) override {
            if (name == "epoch")
                stop_.request_stop();
        }

    private:
        std::stop_source& stop_;
    } stopping(stop);
    const TrainOutcome stopped = must(train_model(3, stopping, stop.get_token()));
    EXPECT_EQ(stopped.end, RunEnd::Stopped);
    EXPECT_EQ(stopped.model, std::nullopt);
    EXPECT_EQ(stopped.epochs, 1);

    Listener listener;
    const TrainOutcome finished = must(train_model(3, listener));
    EXPECT_EQ(finished.end, RunEnd::Finished);
    EXPECT_EQ(finished.run, stopped.run);
    EXPECT_EQ(std::ranges::count(listener.events, "epoch"), 2);
}

TEST_F(LearningRuns, FineTuningSaysHowItEnded) {
    Observer nobody;
    const TrainOutcome trained = must(train_model(2, nobody));
    ASSERT_EQ(trained.end, RunEnd::Finished);
    std::stop_source stop;
    stop.request_stop();
    const auto unread = finetune_model(nobody, stop.get_token());
    ASSERT_FALSE(unread) << "no run was begun yet";
    EXPECT_EQ(unread.error().fault, Fault::Cancelled);

    Listener listener;
    const FinetuneOutcome tuned = must(finetune_model(listener));
    EXPECT_EQ(tuned.end, RunEnd::Finished);
    EXPECT_FALSE(tuned.after.empty());
    EXPECT_EQ(listener.events, (std::vector<std::string>{"epoch", "epoch"}));
    EXPECT_EQ(must(finetune_model(nobody)).end, RunEnd::DoneBefore);
}

/// Stops when a stage is told.
class StoppingAt final : public Observer {
public:
    explicit StoppingAt(std::string_view stage)
        : stage_(stage) {}
    void progress(const Progress& state) override {
        stages.emplace(state.stage);
        if (state.stage == stage_)
            stop.request_stop();
    }

    std::set<std::string> stages;
    std::stop_source stop;

private:
    std::string_view stage_;
};

TEST_F(LearningRuns, AGrayBoxThatIsStoppedWhileItsTreesLearnLosesNothing) {
    Observer nobody;
    ASSERT_EQ(must(train_model(1, nobody, {},
                               {{"architecture", "gray-box"},
                                {"method", "closed-form"},
                                {"loss", "top"},
                                {"machines", Json::array({"none"})},
                                {"simulated", Json::array({"deviating:2"})}}))
                  .end,
              RunEnd::Finished);
    const FinetuneOutcome first = must(finetune_model(nobody));
    ASSERT_EQ(first.end, RunEnd::Finished);
    const auto kept = must(find_model(workspace_, "tuned")).value();

    StoppingAt trees("training trees");
    const FinetuneOutcome stopped = must(finetune_model(trees, trees.stop.get_token(), Redo::Always));
    EXPECT_EQ(stopped.end, RunEnd::Stopped);
    EXPECT_THAT(trees.stages, Contains("fitting the machine's parameters"));
    EXPECT_EQ(must(find_model(workspace_, "tuned")).value().run, kept.run) << "until there is a new one";
    EXPECT_EQ(must(finetune_model(nobody)).after, first.after);

    const FinetuneOutcome resumed = must(finetune_model(nobody, {}, Redo::Always));
    EXPECT_EQ(resumed.run, stopped.run);
    EXPECT_EQ(resumed.after, first.after);
    EXPECT_NE(must(find_model(workspace_, "tuned")).value().run, kept.run);
}

TEST_F(LearningRuns, SearchGivesWhatItChoseMatrixByMatrix) {
    Observer nobody;
    ASSERT_EQ(must(train_model(2, nobody)).end, RunEnd::Finished);
    SearchRequest request;
    request.model = "model";
    request.workloads = {"uniform-1", "uniform-4"};
    request.machine = "first";
    request.method = ChoiceMethod::Exhaustive;
    request.choice.k = 3;
    request.choice.threads = 1;
    request.setting.options["dense"] = "32";
    Listener listener;
    std::vector<std::string> told;
    const SearchOutcome outcome = must(
        run_search(workspace_, learning_, request, listener,
                   [&](const SearchOutcome& so_far) { told.push_back(so_far.workloads.back().name); }, {}));
    EXPECT_EQ(told, request.workloads);
    EXPECT_TRUE(outcome.has_chosen_for_all());
    ASSERT_THAT(outcome.workloads, SizeIs(2));
    EXPECT_GE(outcome.workloads.front().choice.candidates.size(), 3U);
    ASSERT_THAT(listener.starts, SizeIs(1));
    EXPECT_EQ(listener.starts.front()["matrices"], 2);
}

/// A model that no training has made, of a table with one workload.
void add_model_of_records(Workspace& workspace, const DecisionLearning& records, const std::string& name) {
    const Setting setting = must(records.domain().parse_setting("gemm"));
    const auto codec = must(records.domain().codec(setting));
    TaskSet set;
    set.setting = setting;
    set.workloads.push_back(
        {"one", {}, {}, [] { return std::make_shared<const NamedFacts>(NamedFacts::Numbers{{"m", 64.0}}); }});
    set.tasks.push_back({"gpu", {}, {{0, {must(codec->parse("tile=1")).configuration}, {1.0}}}});
    const std::array<std::size_t, 1> train{0};
    const auto encoder = records.new_encoder({"perceptron", false, set, train});
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.weights = draw_weights(encoder->parameters(), 1);
    (void)must(keep_model(workspace, {name}, checkpoint));
}

TEST_F(LearningRuns, ReasonsOfAModelOfAnotherDomainAreRefused) {
    const auto domain = make_records_domain();
    auto records = std::make_unique<DecisionLearning>(*domain);
    add_model_of_records(workspace_, *records, "tuner");
    learning_.add(std::move(records));
    ReasonsRequest request;
    request.model = "tuner";
    request.matrix = "uniform-1";
    const auto reasons = find_model_reasons(workspace_, learning_, request, {}, {});
    ASSERT_FALSE(reasons);
    EXPECT_THAT(reasons.error().message, HasSubstr("is of the domain records"));
}

class TasksOfMachines : public LearningRuns {
protected:
    TasksOfMachines() {
        MachineDescription machine = simulated_copy(find_machine_preset("epyc-7543").value().machine);
        machine.name = "mine";
        mine_ = must(add_machine(workspace_, machine)).record;
    }
    [[nodiscard]] Result<MachineTasks> tasks(const std::vector<std::string>& machines,
                                             Operator op = Operator::SpMM) {
        return machine_tasks(workspace_, *must(learning_.require("sparse")),
                             {.setting = setting_of(op, 32), .machines = machines}, {}, {});
    }

    MachineRecord mine_;
};

TEST_F(TasksOfMachines, SimulateANamedMachineThatHasNoRuntimes) {
    const TaskSet set = must(tasks({"second", mine_.fingerprint})).set;
    ASSERT_THAT(set.tasks, SizeIs(2));
    EXPECT_EQ(set.tasks[1].machine, "mine");
    ASSERT_EQ(set.tasks[1].runtimes.size(), set.tasks[0].runtimes.size());
    EXPECT_EQ(set.tasks[1].runtimes[0].configurations, set.tasks[0].runtimes[0].configurations);
    EXPECT_NE(set.tasks[1].runtimes[0].milliseconds, set.tasks[0].runtimes[0].milliseconds);
    EXPECT_FALSE(tasks({"theirs"})) << "no such machine";
}

TEST_F(TasksOfMachines, AreDrawnBySeedAndNameWhereNothingWasMeasured) {
    const TaskSet set = must(tasks({"mine"}, Operator::SDDMM)).set;
    ASSERT_THAT(set.tasks, SizeIs(1));
    ASSERT_THAT(set.workloads, SizeIs(matrices_of_two_machines));
    const WorkloadRuntimes& first = set.tasks[0].runtimes.front();
    EXPECT_EQ(first.baseline, 0U);
    EXPECT_GT(first.configurations.size(), 10U);
    EXPECT_EQ(first.milliseconds.size(), first.configurations.size());
    EXPECT_THAT(
        must(machine_tasks(workspace_, *must(learning_.require("sparse")),
                           {.setting = setting_of(Operator::SDDMM, 32), .simulated = {"family:2"}}, {}, {}))
            .set.tasks,
        SizeIs(2))
        << "besides all machines that were measured, which are none";
    must(remove_workload(workspace_, must(find_matrix(workspace_, "uniform-3"))->id));
    const TaskSet fewer = must(tasks({"mine"}, Operator::SDDMM)).set;
    EXPECT_THAT(fewer.workloads, SizeIs(matrices_of_two_machines - 1));
    EXPECT_EQ(fewer.tasks[0].runtimes.back().configurations, set.tasks[0].runtimes.back().configurations);
    EXPECT_EQ(fewer.tasks[0].runtimes.back().milliseconds, set.tasks[0].runtimes.back().milliseconds);
}

TEST_F(TasksOfMachines, AreDrawnWhereTooFewMatricesWereMeasuredToSplitThem) {
    const MachineId other = must(recorded_machine(workspace_, "other"));
    const auto matrix = must(find_matrix(workspace_, "uniform-0"))->id;
    for (const int chunk : {32, 16}) {
        SuperSchedule schedule = fixed_csr(Operator::SDDMM, 1);
        schedule.chunk = chunk;
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(chunk);
        must(record_measurement(workspace_, {matrix, other, 32, "waco"}, schedule, measurement));
    }
    const MachineTasks alone = must(tasks({"mine"}, Operator::SDDMM));
    EXPECT_THAT(alone.set.workloads, SizeIs(matrices_of_two_machines));
    EXPECT_THAT(alone.notes, Contains(HasSubstr("fewer than 3 matrices have measurements of sddmm")));
    EXPECT_THAT(must(tasks({"other", "mine"}, Operator::SDDMM)).set.workloads, SizeIs(1))
        << "what was measured is not left out";
}

/// Of two schedules.
inline WorkloadRuntimes two_runtimes(std::size_t workload) {
    std::vector schedules(2, fixed_csr(Operator::SpMM, 1));
    schedules[1].chunk = 2;
    return schedule_runtimes(workload, schedules, {2, 1});
}

/// Four matrices, each with two schedules.
class IdentityOfData : public ::testing::Test {
protected:
    IdentityOfData() {
        Task task{"machine", {}, {}};
        for (std::size_t matrix = 0; matrix < 4; ++matrix) {
            set_.workloads.push_back({fmt::format("matrix {}", matrix)});
            task.runtimes.push_back(two_runtimes(matrix));
        }
        set_.tasks.push_back(std::move(task));
    }
    [[nodiscard]] Json identity(bool reads_machine = false) const {
        return identity_of(set_, {{0, 1}, {2}}, reads_machine);
    }
    WorkloadRuntimes& runtimes(std::size_t matrix) { return set_.tasks[0].runtimes[matrix]; }

    TaskSet set_;
};

TEST_F(IdentityOfData, IsAnotherWhereATimeOrItsSpreadHasChanged) {
    const Json before = identity();
    EXPECT_EQ(before["machine"]["runtimes"], 6);
    runtimes(1).milliseconds.front() *= 2;
    const Json of_time = identity();
    EXPECT_NE(of_time, before);
    runtimes(2).spreads.assign(runtimes(2).configurations.size(), 0.1);
    const Json of_spreads = identity();
    EXPECT_NE(of_spreads, of_time);
    runtimes(2).spreads.back() = 0.2;
    EXPECT_NE(identity(), of_spreads);
}

TEST_F(IdentityOfData, IsTheSameWhereOnlyATestHasChanged) {
    const Json before = identity();
    runtimes(3).milliseconds.front() *= 2;
    EXPECT_EQ(identity(), before);
}

TEST_F(IdentityOfData, KnowsTheMachineWhereItIsReadAlone) {
    const Json before = identity(true);
    const Json unread = identity(false);
    set_.tasks[0].description.date = "2025-01-31T12:34:56Z";
    EXPECT_EQ(identity(true), before) << "probed again, and found the same";
    set_.tasks[0].description.cores = 8;
    EXPECT_NE(identity(true), before);
    EXPECT_EQ(identity(false), unread);
}

/// Two real machines over one matrix, and one imagined with the schedules of the second.
class IdentityOfTransferData : public ::testing::Test {
protected:
    IdentityOfTransferData() {
        data_.real.workloads.push_back({"matrix"});
        data_.real.tasks = {task("first"), task("second")};
        data_.targets.push_back({.task = 0, .donor = 1});
        data_.imagined[1] = {.paper = {task("A")}, .family = {task("sampled-1-0000")}};
    }
    static Task task(const std::string& machine) { return {machine, {}, {two_runtimes(0)}}; }

    TransferData data_;
};

TEST_F(IdentityOfTransferData, IsAnotherWhereAnImaginedTimeHasChanged) {
    const Json before = identity_of(data_);
    data_.imagined[1].family[0].runtimes[0].milliseconds[0] = 3;
    const Json of_family = identity_of(data_);
    EXPECT_NE(of_family, before) << "another simulator";
    data_.imagined[1].paper[0].runtimes[0].milliseconds[0] = 3;
    EXPECT_NE(identity_of(data_), of_family) << "another formula";
}

TEST_F(IdentityOfTransferData, IsAnotherWhereAnotherFamilyWasSampled) {
    const Json before = identity_of(data_);
    data_.imagined[1].family.push_back(task("sampled-1-0001"));
    EXPECT_NE(identity_of(data_), before);
}

TEST_F(IdentityOfTransferData, KnowsAnImaginedMachineForEachOfItsDonors) {
    data_.imagined[0] = data_.imagined[1];
    data_.imagined[0].family[0].runtimes[0].milliseconds[0] = 3;
    const Json identity = identity_of(data_);
    ASSERT_EQ(identity.size(), 2U + 2U * 2U);
    EXPECT_NE(identity["sampled-1-0000 with the schedules of first"],
              identity["sampled-1-0000 with the schedules of second"]);
    EXPECT_EQ(identity["first"]["runtimes"], 2);
}

TEST(FinetuneOutcome, OfAGrayBoxSaysWhatItsCorrectionGained) {
    FinetuneOutcome outcome;
    outcome.before = {{"ordered_pair_accuracy", 0.8}};
    outcome.after = {{"ordered_pair_accuracy", 0.91}};
    outcome.simulator_alone = {{"ordered_pair_accuracy", 0.89}};
    EXPECT_EQ(
        gain_sentence(outcome),
        "pairs in the right order: 0.8000 before, 0.9100 after; the learned correction gained 2.0 percentage "
        "points over the calibrated simulator (0.8900)");
    outcome.after["ordered_pair_accuracy"] = 0.88;
    EXPECT_THAT(gain_sentence(outcome), HasSubstr("the learned correction lost 1.0 percentage points to"));
    outcome.after["ordered_pair_accuracy"] = 0.8902;
    EXPECT_THAT(gain_sentence(outcome), HasSubstr("the learned correction gained nothing over"));
}

TEST(DeviationMetrics, AreThoseOfAGrayBoxBeyondChance) {
    constexpr std::size_t learned = 32; // inputs of the head before the parameters
    constexpr std::size_t inputs = learned + static_cast<std::size_t>(fitted_parameter_count);
    std::vector<NamedArray> weights{
        {std::string(head_weight), {inputs}, std::vector<float>(inputs)},
        {std::string(head_covariance), {inputs, inputs}, std::vector<float>(inputs * inputs)}};
    EXPECT_THAT(deviation_metrics(weights), IsEmpty()) << "it was not adapted";
    for (const auto& [place, factor] : {std::pair<std::size_t, float>{learned, 1.5F}, {learned + 1, 1.1F}}) {
        weights[0].values[place] = std::log(factor);
        weights[1].values[place * inputs + place] = 0.01F; // a deviation of a tenth
    }
    const Metrics metrics = deviation_metrics(weights);
    const std::string key(parameter_info(fitted_parameters().front()).key);
    ASSERT_THAT(metrics, SizeIs(3)) << "a factor of 1.1 may be chance";
    EXPECT_NEAR(metrics.at(key + "/factor"), 1.5, 1e-5);
    EXPECT_NEAR(metrics.at(key + "/low"), 1.5 * std::exp(-0.196), 1e-5);
    EXPECT_NEAR(metrics.at(key + "/high"), 1.5 * std::exp(0.196), 1e-5);
}

TEST(StoredRemarks, DoubtTheShareOfANetworkOnlyWhereItHasOne) {
    ModelDescription stored;
    stored.training.remarks = {"the network's share may be too large: the model had learned before"};
    stored.blend = SimulatorBlend{{}, 32, 0.3, 0.9};
    EXPECT_EQ(stored_remarks(stored), stored.training.remarks);
    stored.blend->network = 0;
    EXPECT_THAT(stored_remarks(stored), IsEmpty()) << "of an earlier version";
}

} // namespace
} // namespace sparsight::testing
