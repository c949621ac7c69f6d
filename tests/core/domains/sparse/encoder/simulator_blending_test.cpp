#include "domains/sparse/encoder/simulator_blending.h"

#include "core/learning/synthetic_tasks.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_presets.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::synthetic_tasks;

/// A network that knows nothing, and one task whose runtimes are those of a machine that is mechanistic, but
/// hands out chunks four times as slowly as anybody would take it to.
class SimulatorBlending : public ::testing::Test {
protected:
    SimulatorBlending() {
        MachineParameters machine = uncalibrated_machine(tasks_.tasks[0]);
        machine[MachineParameter::ChunkCost] *= 4;
        for (WorkloadRuntimes& runtimes : tasks_.tasks[0].runtimes) {
            const auto profiles = profiles_of(tasks_, runtimes, 1).value();
            for (std::size_t at = 0; at < profiles.size(); ++at)
                runtimes.milliseconds[at] = simulate(machine, profiles[at]).total();
        }
        network_.architecture = Architecture::StatisticsNet;
        network_.standardisation = standardise(network_.architecture, tasks_, train_);
        start_.weights = to_tensors(initial_weights(network_, 1), true, at::kFloat, at::Device(at::kCPU));
        options_.fine_tuning.epochs = 2;
        options_.calibration_steps = 200;
    }

    SimulatorBlend blend() {
        ExampleStore examples(tasks_, sparse_encoder(network_), 1);
        return MechanisticBlending().fit(examples, 0, train_, options_, start_).value();
    }

    TaskSet tasks_ = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 12, 20);
    std::vector<std::size_t> train_{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<std::size_t> test_{8, 9, 10, 11};
    NetworkDescription network_;
    MetaParameters start_;
    BlendingOptions options_;
};

TEST_F(SimulatorBlending, FindsTheMachineAndTrustsTheSimulatorOfIt) {
    const SimulatorBlend found = blend();
    const MachineParameters before = uncalibrated_machine(tasks_.tasks[0]);
    EXPECT_GT(found.machine[MachineParameter::ChunkCost], 2 * before[MachineParameter::ChunkCost]);
    EXPECT_EQ(found.dense, 32);
    EXPECT_GT(found.simulator, 0);
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const auto in_order = [&](double network, double simulator) {
        SimulatorBlend blend = found;
        blend.network = network;
        blend.simulator = simulator;
        return *MechanisticBlending()
                    .report(examples, start_.weights, blend, Loss::PairwiseLogistic, 0, test_, 1)
                    .value()
                    .ordered_pair_accuracy;
    };
    EXPECT_GT(in_order(0, 1), 0.95);
    EXPECT_GT(in_order(found.network, found.simulator), in_order(1, 0) + 0.1);
}

TEST_F(SimulatorBlending, LooksAtNoMatrixButThoseThatItIsGiven) {
    const SimulatorBlend before = blend();
    for (WorkloadRuntimes& runtimes : tasks_.tasks[0].runtimes)
        if (runtimes.workload >= test_.front())
            for (double& milliseconds : runtimes.milliseconds)
                milliseconds = 1 / milliseconds;
    EXPECT_EQ(blend(), before);
}

TEST_F(SimulatorBlending, IsTheSameOnceMoreWithAnyNumberOfThreads) {
    const SimulatorBlend before = blend();
    options_.threads = 3;
    EXPECT_EQ(blend(), before);
}

TEST_F(SimulatorBlending, MakesDoWithOneMatrix) {
    train_ = {3};
    EXPECT_GT(blend().simulator, 0);
}

TEST_F(SimulatorBlending, CanBeStopped) {
    std::stop_source stop;
    stop.request_stop();
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    EXPECT_EQ(
        MechanisticBlending().fit(examples, 0, train_, options_, start_, stop.get_token()).error().fault,
        Fault::Cancelled);
}

TEST(UncalibratedMachine, RunsTheThreadsThatTheScheduleRanOn) {
    TaskSet tasks = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 1, 2);
    EXPECT_EQ(uncalibrated_machine(tasks.tasks[0])[MachineParameter::Threads], 2);
    tasks.tasks[0].description.cores = 1;
    tasks.tasks[0].description.threads = 1;
    EXPECT_EQ(uncalibrated_machine(tasks.tasks[0])[MachineParameter::Threads], 1) << "no more than there are";
}

} // namespace
} // namespace sparsight
