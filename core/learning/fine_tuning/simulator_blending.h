// Combining a fine-tuned network with a simulator (model/simulator_blend.h): the same measurements calibrate
// the simulator to the machine and show how far to trust each.
#pragma once

#include "base/progress.h"
#include "learning/fine_tuning/blend_weights.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/training/example_store.h"
#include "learning/training/ranking_report.h"
#include "model/simulator_blend.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace sparsight {

struct BlendingOptions {
    FineTuningOptions fine_tuning;
    int threads = 1; ///< for looking at workloads and calibrating
    /// Folds of the workloads, families always in the same fold: a fold is scored by a network fine-tuned on
    /// the others and a simulator calibrated to the others. With fewer than three families the network before
    /// fine-tuning is used instead.
    std::size_t folds = 4;
    int calibration_steps = 600;
};

struct FittedBlend {
    SimulatorBlend blend;
    BlendFit fit; ///< on held-out workloads, fold by fold
    /// Whether the network was fine-tuned without each fold. Otherwise the shares are those of the network
    /// before fine-tuning.
    bool is_crossed = false;

    bool operator==(const FittedBlend&) const = default;
};

/// The quality of a network, the simulator, and both together on workloads that none of them has learned
/// from.
struct BlendReport {
    RankingReport network;
    RankingReport
        simulator; ///< calibrated, alone; its loss has no meaning, since logarithms of time are not scores
    RankingReport both;
};

/// What a domain with a simulator brings.
class SimulatorBlending {
public:
    SimulatorBlending() = default;
    SimulatorBlending(const SimulatorBlending&) = delete;
    SimulatorBlending& operator=(const SimulatorBlending&) = delete;
    virtual ~SimulatorBlending() = default;

    /// Fits a blend from `workloads` of a task, and nothing else of it. `start` is where the fine-tuning
    /// starts. Errors: those of fine_tune() and of the calibration; data that can't be read;
    /// Fault::Cancelled. `progress` counts folds, and after them the fit to all.
    [[nodiscard]] virtual Result<FittedBlend> fit(ExampleStore& examples, std::size_t task,
                                                  std::span<const std::size_t> workloads,
                                                  const BlendingOptions& options, const MetaParameters& start,
                                                  const std::stop_token& stop,
                                                  const ProgressSink& progress) const = 0;

    /// The report on `workloads` of a task; `threads` look at them. Errors: those of report_ranking(), and
    /// data that can't be read.
    [[nodiscard]] virtual Result<BlendReport> report(ExampleStore& examples, const NamedTensors& weights,
                                                     const SimulatorBlend& blend, Loss loss, std::size_t task,
                                                     std::span<const std::size_t> workloads, int threads,
                                                     const std::stop_token& stop) const = 0;
};

} // namespace sparsight
