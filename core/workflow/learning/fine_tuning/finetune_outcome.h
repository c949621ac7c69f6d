// What a fine-tuning came to, and what is to be said of it.
#pragma once

#include "base/error.h"
#include "learning/fine_tuning/blend_weights.h"
#include "model/simulator_blend.h"
#include "workflow/learning/fine_tuning/shot_comparison.h"
#include "workflow/learning/training/run_claim.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

using Metrics = std::map<std::string, double>; ///< RankingReport::by_name()

struct FinetuneOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Stopped or Refused; then nothing is known but the run that was stopped
    std::int64_t run = 0;
    std::string model;
    std::string machine; ///< that was fine-tuned to
    Metrics before;
    Metrics after;
    Metrics network_alone;   ///< fine-tuned; where the simulator has a share in the model
    Metrics simulator_alone; ///< calibrated, likewise
    std::optional<SimulatorBlend> blend;
    /// How its shares were chosen. Not by pairs: then `remarks` say so, and why.
    DirectionReason shares_by = DirectionReason::Pairs;
    /// What showed the shares: "network", "simulator" and "both", of the pairs in order on the matrices that
    /// were learned from, each kept back once; and by "network_regret_at_5" … what the best few of each lose.
    Metrics kept_back;
    std::vector<std::string> remarks; ///< what limits the model's worth; sentences
    std::vector<ShotResult> shots;
    double seconds = 0; ///< of working at it, since it was started last
};

/// What is to be said of the shares of network and simulator: that one of them has none, and why; that both
/// together rank the test matrices worse than one of them alone, by pairs or by their best schedules, and
/// that these two disagree. None without a blend.
[[nodiscard]] std::vector<std::string> blend_remarks(const FinetuneOutcome& outcome);

} // namespace sparsight
