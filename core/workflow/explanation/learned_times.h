// What a model of a workspace says of configurations, asked by programs without LibTorch.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "evaluation/model_reasons/predicted_times.h"
#include "study/domain.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct LearnedTimesQuestion {
    std::string workspace; ///< path of the workspace
    std::string model;
    std::string machine; ///< name or fingerprint; empty: this computer
    Setting setting;
    /// Names of workloads and texts of configurations.
    std::vector<std::pair<std::string, std::string>> pairs;
};

/// Error (Fault::Internal): the answer leaves out a pair of the question, or tells of others.
[[nodiscard]] Result<void> check_answer(const LearnedTimesQuestion& question, const PredictedTimes& answer,
                                        const DomainWords& words);

/// Runs `sparsight-learn predict`. Errors: those of the command and of check_answer(); Fault::Cancelled.
[[nodiscard]] Result<PredictedTimes> ask_for_learned_times(const LearnedTimesQuestion& question,
                                                           const DomainWords& words,
                                                           const ProgressSink& progress,
                                                           const std::stop_token& stop);

} // namespace sparsight
