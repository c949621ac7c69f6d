#include "domains/sparse/encoder/sparse_learning.h"
#include "learning/processes/joint_training.h"
#include "learning/processes/process_group.h"
#include "learning/training/trainer.h"
#include "support/free_port.h"
#include "support/test_files.h"
#include "synthetic_tasks.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <array>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <map>
#include <thread>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

Result<ProcessPlace> place(const Variables& variables) {
    return process_place([&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

TEST(ProcessPlaceTest, IsAloneWhereNothingIsSaid) {
    EXPECT_EQ(place({}).value(), ProcessPlace{});
    EXPECT_EQ(place({{"MASTER_ADDR", "node1"}}).value().count, 1);
}

TEST(ProcessPlaceTest, IsAsTorchrunSays) {
    const Variables variables{
        {"RANK", "3"}, {"WORLD_SIZE", "8"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "1234"}};
    EXPECT_EQ(place(variables).value(), (ProcessPlace{3, 8, "node1", 1234}));
}

TEST(ProcessPlaceTest, IsAsMpirunSays) {
    EXPECT_EQ(place({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}).value(),
              (ProcessPlace{1, 2, "127.0.0.1", 29500}));
    EXPECT_EQ(place({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}, {"MASTER_ADDR", "node7"}}).value(),
              (ProcessPlace{0, 4, "node7", 29500}));
}

TEST(ProcessPlaceTest, IsAsSrunSaysAndMeetsOnItsFirstNode) {
    Variables variables{{"SLURM_PROCID", "2"},
                        {"SLURM_NTASKS", "4"},
                        {"SLURM_STEP_ID", "0"},
                        {"SLURM_STEP_NODELIST", "node[03-05,09],other"}};
    EXPECT_EQ(place(variables).value(), (ProcessPlace{2, 4, "node03", 29500}));
    variables.insert_or_assign("SLURM_STEP_NODELIST", "alone");
    EXPECT_EQ(place(variables).value().master, "alone");
    variables.insert_or_assign("SLURM_STEP_NODELIST", "a,b");
    EXPECT_EQ(place(variables).value().master, "a");
    variables.insert_or_assign("MASTER_ADDR", "b");
    EXPECT_EQ(place(variables).value().master, "b");
}

TEST(ProcessPlaceTest, KnowsWhichProcessOfItsComputerItIs) {
    Variables variables{{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}};
    EXPECT_EQ(place(variables).value().local_rank, 1);
    variables.insert_or_assign("LOCAL_RANK", "8");
    EXPECT_THAT(place(variables).error().message, HasSubstr("LOCAL_RANK is '8'"));
    EXPECT_EQ(
        place({{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "8"}, {"SLURM_STEP_ID", "0"}, {"SLURM_LOCALID", "3"}})
            .value()
            .local_rank,
        3);
    EXPECT_EQ(place({{"OMPI_COMM_WORLD_RANK", "3"},
                     {"OMPI_COMM_WORLD_SIZE", "4"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}})
                  .value()
                  .local_rank,
              1);
    EXPECT_EQ(place({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"SLURM_LOCALID", "1"}}).value().local_rank, 1);
    EXPECT_EQ(place({{"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "2"}, {"SLURM_LOCALID", "1"}})
                  .value()
                  .local_rank,
              2)
        << "torchrun's own processes, started by srun";
}

TEST(ProcessPlaceTest, InABatchJobWithoutSrunIsOneProcess) {
    EXPECT_EQ(place({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).value().count, 1);
}

TEST(ProcessPlaceTest, RefusesWhatCantBeByName) {
    struct Case {
        Variables variables;
        const char* message;
    };
    const std::vector<Case> cases{
        {{{"RANK", "0"}}, "the environment variable RANK is set and WORLD_SIZE is not"},
        {{{"WORLD_SIZE", "2"}}, "WORLD_SIZE is set and RANK is not"},
        {{{"RANK", "2"}, {"WORLD_SIZE", "2"}}, "RANK is '2'; expected a number from 0 to 1"},
        {{{"RANK", "x"}, {"WORLD_SIZE", "2"}}, "RANK is 'x'"},
        {{{"RANK", "0"}, {"WORLD_SIZE", "0"}}, "WORLD_SIZE is '0'"},
        {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "70000"}}, "MASTER_PORT is '70000'"},
    };
    for (const Case& one : cases) {
        const auto refused = place(one.variables);
        ASSERT_FALSE(refused.has_value()) << one.message;
        EXPECT_EQ(refused.error().fault, Fault::Input);
        EXPECT_THAT(refused.error().text(), HasSubstr(one.message));
    }
}

} // namespace

// Training by two processes. The tests start this very program twice more, with the variables that torchrun
// would set; there the worker below runs.
namespace {

using testing::SyntheticMachine;

constexpr const char* result_variable = "SPARSIGHT_TEST_RESULT";
constexpr const char* method_variable = "SPARSIGHT_TEST_METHOD";
constexpr const char* trouble_variable = "SPARSIGHT_TEST_TROUBLE";

/// A small run over three machines, so that two processes have different numbers of episodes.
struct SmallRun {
    explicit SmallRun(Method method) {
        network.architecture = Architecture::StatisticsNet;
        network.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network.standardisation = standardise(network.architecture, tasks, split.train);
        options.method = method;
        options.loss = Loss::PairwiseLogistic;
        options.epochs = 2;
        options.rate = 1e-3;
        options.support_workloads = 3;
        options.query_workloads = 3;
        options.inner = {1, 0.05};
    }

    [[nodiscard]] Result<TrainingResult> train(const ProcessGroup& group,
                                               const TrainingObserver& observer = {},
                                               const std::stop_token& stop = {}) {
        ExampleStore examples(tasks, sparse_encoder(network), 1);
        return sparsight::train(examples, split, options,
                                initial_training_state(options.method, options.inner,
                                                       to_tensors(initial_weights(network, seed), true)),
                                observer, stop, group);
    }

    std::uint64_t seed = 7; ///< of the first weights
    TaskSet tasks = testing::synthetic_tasks(
        std::array{SyntheticMachine{1, 1}, SyntheticMachine{-0.5, 0.2}, SyntheticMachine{0.3, -1}}, 10, 12);
    WorkloadSplit split = testing::synthetic_split(tasks);
    NetworkDescription network;
    TrainingOptions options;
};

void write(const std::string& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// One of two. Trouble "stop": process 1 is asked to stop in the second epoch; "leave": it never trains.
TEST(ProcessGroupWorker, DISABLED_TrainsWithTheOther) {
    const std::string trouble = environment_variable(trouble_variable).value_or("");
    const std::string result = environment_variable(result_variable).value();
    const auto place = process_place();
    ASSERT_TRUE(place.has_value()) << place.error().text();
    const auto group = ProcessGroup::join(*place, std::chrono::seconds(60));
    ASSERT_TRUE(group.has_value()) << group.error().text();
    SmallRun run(parse_method(environment_variable(method_variable).value()).value());
    if (place->rank > 0)
        run.seed = 99; // the weights of process 0 are everybody's
    std::stop_source source;
    TrainingObserver observer;
    observer.step = [&](const StepReport& report) {
        if (trouble == "stop" && place->rank == 1 && report.epoch == 1 && report.step == 1)
            source.request_stop();
    };
    if (trouble == "leave" && place->rank == 1)
        return;
    const auto trained = run.train(*group, observer, source.get_token());
    if (trained && trained->end == TrainingEnd::Finished)
        write(result, training_state_bytes(trained->state));
    else
        std::ofstream(result) << (trained ? "stopped" : trained.error().text());
}

class TwoProcesses : public ::testing::Test {
protected:
    void SetUp() override {
        const auto alone =
            ProcessGroup::join({0, 2, "127.0.0.1", testing::free_port()}, std::chrono::milliseconds(1));
        ASSERT_FALSE(alone.has_value());
        if (alone.error().message.contains("built without Gloo"))
            GTEST_SKIP() << "this build has no Gloo";
    }

    /// What each of them wrote.
    std::array<std::string, 2> run(Method method, const std::string& trouble = "") {
        const std::string program = std::filesystem::read_symlink("/proc/self/exe");
        const auto port = testing::free_port();
        std::array<std::string, 2> written;
        std::vector<std::thread> processes;
        for (int rank = 0; rank < 2; ++rank)
            processes.emplace_back([&, rank] {
                const auto result = folder_.path() / fmt::format("{}", rank);
                const std::string command = fmt::format(
                    "RANK={} WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT={} {}={} {}={} {}='{}' "
                    "OMP_NUM_THREADS=1 '{}' --gtest_also_run_disabled_tests "
                    "--gtest_filter=ProcessGroupWorker.* > '{}.log' 2>&1",
                    rank, port, result_variable, result.string(), method_variable, name(method),
                    trouble_variable, trouble, program, result.string());
                const int status = std::system(command.c_str());
                EXPECT_EQ(status, 0) << read(result.string() + ".log");
                written[static_cast<std::size_t>(rank)] = read(result);
            });
        for (std::thread& process : processes)
            process.join();
        return written;
    }

    testing::TemporaryFolder folder_;
};

TEST_F(TwoProcesses, TrainToTheResultOfOneButForRounding) {
    for (const Method method : {Method::Fomaml, Method::MetaSgd, Method::Report, Method::Supervised}) {
        const auto written = run(method);
        EXPECT_EQ(written[0], written[1]) << name(method) << ": the same bits everywhere";
        SmallRun alone(method);
        const auto expected = alone.train({});
        ASSERT_TRUE(expected.has_value());
        const auto state = parse_training_state(std::as_bytes(std::span(written[0])), method,
                                                parameter_shapes(alone.network));
        ASSERT_TRUE(state.has_value()) << state.error().text() << written[0].substr(0, 200);
        EXPECT_EQ(state->steps, expected->state.steps);
        EXPECT_NEAR(state->best_loss.value(), expected->state.best_loss.value(), 1e-4);
        // Weights may differ: where a gradient is nothing but rounding (that of the last bias always is,
        // since only differences of scores matter), Adam takes it for as much as any other.
        ExampleStore examples(alone.tasks, sparse_encoder(alone.network), 1);
        for (std::size_t place = 0; place < alone.tasks.tasks[0].runtimes.size(); ++place) {
            const at::Tensor together = examples.scores(state->best, 0, place).value();
            const at::Tensor by_one = examples.scores(expected->state.best, 0, place).value();
            EXPECT_TRUE((together - together.mean()).allclose(by_one - by_one.mean(), 1e-3, 1e-3))
                << name(method) << ", matrix " << place;
        }
    }
}

TEST_F(TwoProcesses, StopTogetherWhenOneIsAskedTo) {
    const auto written = run(Method::Fomaml, "stop");
    EXPECT_THAT(written[0], HasSubstr("stopped"));
    EXPECT_THAT(written[1], HasSubstr("stopped"));
}

TEST_F(TwoProcesses, DoNotWaitForOneThatIsGone) {
    const auto written = run(Method::Fomaml, "leave");
    EXPECT_FALSE(written[0].empty());
    EXPECT_THAT(written[0], Not(HasSubstr("stopped")));
}

TEST_F(TwoProcesses, HearOfAStopWhileTheyWaitForEachOther) {
    for (const int rank : {0, 1}) {
        std::stop_source stop;
        stop.request_stop();
        const auto group = ProcessGroup::join({rank, 2, "127.0.0.1", testing::free_port()},
                                              std::chrono::seconds(60), stop.get_token());
        ASSERT_FALSE(group.has_value());
        EXPECT_EQ(group.error().fault, Fault::Cancelled) << group.error().text();
    }
}

/// Both in this process, on a thread each.
TEST_F(TwoProcesses, AgreeOnWhetherThereIsAnythingToTrain) {
    using Start = Result<SharedStart>;
    const auto meet = [](const Start& first, const Start& second) {
        const auto port = testing::free_port();
        std::array<Start, 2> agreed;
        std::vector<std::thread> threads;
        for (int rank = 0; rank < 2; ++rank)
            threads.emplace_back([&, rank] {
                auto group = ProcessGroup::join({rank, 2, "127.0.0.1", port}, std::chrono::seconds(60));
                agreed[static_cast<std::size_t>(rank)] =
                    group ? agree_on_start(*group, rank == 0 ? first : second, {})
                          : std::unexpected(group.error());
            });
        for (std::thread& thread : threads)
            thread.join();
        return agreed;
    };
    const Start failed = fail(Fault::Input, "no such machine");
    for (const Start& each : meet(SharedStart::Train, SharedStart::Train))
        EXPECT_EQ(each.value(), SharedStart::Train);
    for (const Start& each : meet(SharedStart::NothingToDo, SharedStart::Train))
        EXPECT_EQ(each.value(), SharedStart::NothingToDo);
    const auto with_a_failure = meet(SharedStart::Train, failed);
    EXPECT_THAT(with_a_failure[0].error().text(), HasSubstr("another of the processes"));
    EXPECT_EQ(with_a_failure[1].error().message, "no such machine");
    const auto stopped = meet(SharedStart::Train, Start(fail(Fault::Cancelled, "stopped")));
    EXPECT_EQ(stopped[0].error().fault, Fault::Cancelled);
}

TEST(ProcessGroup, OfOneProcessAddsNothing) {
    const auto group = ProcessGroup::join({}, std::chrono::seconds(1));
    ASSERT_TRUE(group.has_value());
    EXPECT_EQ(group->count(), 1);
    std::vector<at::Tensor> tensors{at::tensor({1.0, 2.0})};
    group->add_up(tensors);
    EXPECT_TRUE(tensors[0].equal(at::tensor({1.0, 2.0})));
}

} // namespace
} // namespace sparsight
