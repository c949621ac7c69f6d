// Combining a fine-tuned network with the simulator (model/simulator_blend.h): the same measurements
// calibrate the simulator to the machine and show how far to trust each.
#pragma once

#include "base/progress.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "learning/fine_tuning/blend_weights.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/training/example_store.h"
#include "learning/training/ranking_report.h"
#include "model/simulator_blend.h"

#include <cstddef>
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

struct BlendingOptions {
    FineTuningOptions fine_tuning;
    int threads = 1; ///< for counting patterns and calibrating
    /// Folds of the matrices, siblings always in the same fold: a fold is scored by a network fine-tuned on
    /// the others and a simulator calibrated to the others. With fewer than three families of siblings the
    /// network before fine-tuning is used instead.
    std::size_t folds = 4;
    int calibration_steps = 600;
};

struct FittedBlend {
    SimulatorBlend blend;
    BlendFit fit; ///< on held-out matrices, fold by fold
    /// Whether the network was fine-tuned without each fold. Otherwise the shares are those of the network
    /// before fine-tuning.
    bool is_crossed = false;

    bool operator==(const FittedBlend&) const = default;
};

/// Fits a blend from `matrices` of a task, and nothing else of it. `start` is where the fine-tuning starts.
/// Errors: those of fine_tune() and calibrate(); a pattern that can't be read; Fault::Cancelled. `progress`
/// counts folds, and after them the fit to all.
[[nodiscard]] Result<FittedBlend>
fit_simulator_blend(ExampleStore& examples, std::size_t task, std::span<const std::size_t> matrices,
                    const BlendingOptions& options, const MetaParameters& start,
                    const std::stop_token& stop = {}, const ProgressSink& progress = {});

/// The quality of a network, the simulator, and both together on matrices that none of them has learned from.
struct BlendReport {
    RankingReport network;
    RankingReport
        simulator; ///< calibrated, alone; its loss has no meaning, since logarithms of time are not scores
    RankingReport both;
};

/// The report on `matrices` of a task; `threads` count patterns. Errors: those of report_ranking(), and
/// patterns that can't be read.
[[nodiscard]] Result<BlendReport> report_blend(ExampleStore& examples, const NamedTensors& weights,
                                               const SimulatorBlend& blend, Loss loss, std::size_t task,
                                               std::span<const std::size_t> matrices, int threads,
                                               const std::stop_token& stop = {});

} // namespace sparsight
