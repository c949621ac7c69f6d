// What a fine-tuning came to: for programs and for people.
#pragma once

#include "command/session.h"
#include "learn/shot_contest.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

using Metrics = std::map<std::string, double>; ///< RankingReport::by_name()

struct FinetuneOutcome {
    std::int64_t run = 0;
    std::string model;
    Metrics before;
    Metrics after;
    Metrics network_alone;   ///< fine-tuned; where the simulator has a share in the model
    Metrics simulator_alone; ///< calibrated, likewise
    std::vector<ShotResult> shots;
    double seconds = 0; ///< of working at it, since it was started last
};

[[nodiscard]] Json outcome_json(const FinetuneOutcome& outcome);
[[nodiscard]] std::string outcome_text(const FinetuneOutcome& outcome);

} // namespace sparsight
