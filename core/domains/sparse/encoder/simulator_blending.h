// The mechanistic simulator's share in the scores of schedules.
#pragma once

#include "domains/sparse/simulator/schedule_profile.h"
#include "learning/learning_domain.h"

#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The profiles of the schedules of some runtimes, in their order.
[[nodiscard]] Result<std::vector<ScheduleProfile>> profiles_of(const TaskSet& set,
                                                               const WorkloadRuntimes& runtimes, int threads,
                                                               const std::stop_token& stop = {});

/// ln of simulated milliseconds, one for each profile.
[[nodiscard]] std::vector<double> log_simulated(const MachineParameters& machine,
                                                std::span<const ScheduleProfile> profiles);

/// The parameters of a task's machine before anything is learned from the task, with the threads that its
/// schedules ran on.
[[nodiscard]] MachineParameters uncalibrated_machine(const Task& task);

class MechanisticBlending final : public SimulatorBlending {
public:
    [[nodiscard]] Result<SimulatorBlend> fit(ExampleStore& examples, std::size_t task,
                                             std::span<const std::size_t> workloads,
                                             const BlendingOptions& options, const MetaParameters& start,
                                             const std::stop_token& stop = {}) const override;
    [[nodiscard]] Result<RankingReport> report(ExampleStore& examples, const NamedTensors& weights,
                                               const SimulatorBlend& blend, Loss loss, std::size_t task,
                                               std::span<const std::size_t> workloads, int threads,
                                               const std::stop_token& stop = {}) const override;
};

} // namespace sparsight
