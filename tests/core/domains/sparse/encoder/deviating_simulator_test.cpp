// Simulators that are unlike the mechanistic one, each in a way of its own.
#include "core/domains/sparse/encoder/gray_boxes.h"

namespace sparsight {
namespace {

using testing::synthetic_tasks;

TEST(DeviatingSimulators, AreTheSameForANameAndUnlikeForOthers) {
    const TaskSet tasks = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 1, 20);
    const auto payload = tasks.workloads[0].load().value();
    const SimulatedRuns runs{.setting = tasks.setting,
                             .data = payload.get(),
                             .configurations = tasks.tasks[0].runtimes[0].configurations};
    const auto deviating = DeviatingSimulator().profile(runs).value();
    const auto exact = MechanisticSimulator().profile(runs).value();
    MachineDescription machine = sampled_machine(7, 1);
    const auto first = deviating->times(machine).value().milliseconds;
    EXPECT_EQ(deviating->times(machine).value().milliseconds, first);
    const auto simulated = exact->times(machine).value().milliseconds;
    for (std::size_t at = 0; at < first.size(); ++at) {
        EXPECT_NE(first[at], simulated[at]);
        EXPECT_LT(std::abs(std::log(first[at] / simulated[at])), 2.5);
    }
    // The same schedules on a matrix of other entries: what is left of the times differs from place to place.
    const TaskSet others = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 2, 20);
    const auto other_payload = others.workloads[1].load().value();
    const SimulatedRuns other_runs{
        .setting = runs.setting, .data = other_payload.get(), .configurations = runs.configurations};
    const auto other_times = DeviatingSimulator().profile(other_runs).value()->times(machine).value();
    const auto other_exact = MechanisticSimulator().profile(other_runs).value()->times(machine).value();
    int apart = 0;
    for (std::size_t at = 0; at < first.size(); ++at) {
        const double here = std::log(first[at] / simulated[at]);
        const double there = std::log(other_times.milliseconds[at] / other_exact.milliseconds[at]);
        apart += std::abs(here - there) > 0.01 ? 1 : 0;
    }
    EXPECT_GT(apart, 15) << "as scatter does, which is 6 %";
    machine.name = "another of the same build";
    EXPECT_NE(deviating->times(machine).value().milliseconds, first);
}

} // namespace
} // namespace sparsight
