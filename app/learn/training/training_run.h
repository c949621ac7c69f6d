// What the first of several processes says to those that train with it, before they begin.
#pragma once

#include "command/job.h"
#include "command/session.h"
#include "learn/models/model_facts.h"
#include "learn/training/run_claim.h"
#include "learn/training/training_request.h"
#include "learning/processes/joint_training.h"
#include "learning/processes/process_group.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace sparsight {

/// Said once: at the latest, when it is gone, that the first process failed, so that nobody waits for it.
class InitialMessage {
public:
    InitialMessage(ProcessGroup& group, std::stop_token stop)
        : group_(group)
        , stop_(std::move(stop)) {}
    InitialMessage(const InitialMessage&) = delete;
    InitialMessage& operator=(const InitialMessage&) = delete;
    ~InitialMessage() {
        if (!is_said_) [[maybe_unused]]
            const auto said = say(fail(stop_.stop_requested() ? Fault::Cancelled : Fault::Environment, ""));
    }

    Result<SharedStart> say(Result<SharedStart> start) {
        is_said_ = true;
        return agree_on_start(group_, std::move(start), stop_);
    }

private:
    ProcessGroup& group_;
    std::stop_token stop_;
    bool is_said_ = false;
};

// What the processes after the first do when several train together: they work on their share of every step,
// and leave it to the first to tell and to keep what comes out.

/// The workspace is only read. Done and Interrupted as the first one ends; errors are remarks.
[[nodiscard]] ExitCode join_training(Session& session, const TrainRequest& request, ProcessGroup& group,
                                     const std::stop_token& stop);

// A whole training run: what is there already, the training, the test beside the baseline, the model.

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
