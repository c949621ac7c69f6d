// A whole training run: what is there already, the training, the test beside the baseline, the model.
#pragma once

#include "command/job_events.h"
#include "learn/baseline_text.h"
#include "learn/run_claim.h"
#include "learn/train_request.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace sparsight {

struct TrainOrder {
    RunSettings settings;
    TrainRequest request;
    Redo redo = Redo::Never;
    bool keep = false;   ///< the best so far becomes the model when it is stopped
    bool finish = false; ///< … without training on
};

/// Tells its events. `stop` is requested by signals.
[[nodiscard]] ExitCode run_training(Session& session, JobEvents& events, const TrainOrder& order,
                                    const std::stop_token& stop);

/// How a run ended.
struct TrainOutcome {
    std::int64_t run = 0;
    std::optional<std::string> model; ///< nothing: stopped
    std::string ending;               ///< "finished", "stopped early", "stopped"
    int epochs = 0;
    int best_epoch = 0;
    std::optional<double> seconds;         ///< of working at it, pauses left out; nothing: not known
    std::map<std::string, double> metrics; ///< on the test matrices
    std::optional<std::map<std::string, double>> baseline;
    int test_matrices = 0; ///< 0: not known, or none

    [[nodiscard]] BaselineComparison beside_baseline() const;
};

[[nodiscard]] Json outcome_json(const TrainOutcome& outcome);
/// For people.
[[nodiscard]] std::string outcome_text(const TrainOutcome& outcome);

} // namespace sparsight
