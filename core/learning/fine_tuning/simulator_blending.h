// Putting the simulator beside a network that is fine-tuned (model/simulator_blend.h): the same measurements
// calibrate the simulator to the machine, and show how far to trust which.
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

/// Of the schedules of some runtimes, in their order.
[[nodiscard]] Result<std::vector<ScheduleProfile>> profiles_of(const TaskSet& set,
                                                               const MatrixRuntimes& runtimes, int threads,
                                                               const std::stop_token& stop = {});

/// ln of simulated milliseconds, one for each profile.
[[nodiscard]] std::vector<double> log_simulated(const MachineParameters& machine,
                                                std::span<const ScheduleProfile> profiles);

/// What is known of a task's machine before anything is learned from the task, with the threads that its
/// schedules ran on.
[[nodiscard]] MachineParameters uncalibrated_machine(const Task& task);

struct BlendingOptions {
    FineTuningOptions fine_tuning;
    int threads = 1; ///< that count patterns and calibrate
    /// Of the matrices, each with its siblings in one of them: what is in a fold is scored by a network that
    /// was fine-tuned on, and a simulator that was calibrated to, the others. With fewer than three families
    /// of siblings the network as it was stands for it.
    std::size_t folds = 4;
    int calibration_steps = 600;
};

struct FittedBlend {
    SimulatorBlend blend;
    BlendFit fit; ///< on matrices that were kept back, one fold after the other
    /// Whether the network was fine-tuned without each fold. Else the shares are those of the network as it
    /// was before.
    bool is_crossed = false;

    bool operator==(const FittedBlend&) const = default;
};

/// From `matrices` of a task, and nothing else of it. `start` is where the fine-tuning starts. Errors: those
/// of fine_tune() and calibrate(); a pattern that can't be had; Fault::Cancelled. `progress` counts folds,
/// and the whole behind them.
[[nodiscard]] Result<FittedBlend>
fit_simulator_blend(ExampleStore& examples, std::size_t task, std::span<const std::size_t> matrices,
                    const BlendingOptions& options, const MetaParameters& start,
                    const std::stop_token& stop = {}, const ProgressSink& progress = {});

// What a network, the simulator, and both together are worth on matrices that none of them has learned from.

struct BlendReport {
    RankingReport network;
    RankingReport simulator; ///< calibrated, alone; its loss says nothing: logarithms of time are no scores
    RankingReport both;
};

/// Of `matrices` of a task; `threads` count patterns. Errors: those of report_ranking(), and patterns that
/// can't be had.
[[nodiscard]] Result<BlendReport> report_blend(ExampleStore& examples, const NamedTensors& weights,
                                               const SimulatorBlend& blend, Loss loss, std::size_t task,
                                               std::span<const std::size_t> matrices, int threads,
                                               const std::stop_token& stop = {});

} // namespace sparsight
