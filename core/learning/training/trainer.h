// Training and meta-training: epochs of steps over the plan of training_plan.h, validated after each epoch;
// the best weights are kept. Training by a budget of examples makes models that learned from different tasks
// comparable.
#pragma once

#include "base/observer.h"
#include "learning/processes/process_group.h"
#include "learning/training/example_store.h"
#include "learning/training/ranking_report.h"
#include "learning/training/training_plan.h"
#include "learning/training/training_state.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

struct StepReport {
    int epoch = 0;
    std::size_t step = 0;     ///< the finished step, from 1
    std::size_t steps = 0;    ///< of this epoch
    double loss = 0;          ///< on the query sets, after the inner loop where there is one
    double gradient_norm = 0; ///< before clipping
    std::size_t examples = 0; ///< configurations that the step evaluated
};

struct EpochReport {
    int epoch = 0;            ///< the finished epoch, from 0
    double training_loss = 0; ///< mean of its steps
    double rate = 0;
    double seconds = 0; ///< of training since the run began or was resumed, without validation
    double examples_per_second = 0;
    /// Of each task on the validation workloads, after adapting where there is an inner loop.
    std::vector<RankingReport> tasks;
    RankingReport overall{};
    /// Of a gray box, likewise: what its simulator does alone, on the same pairs. Empty of other networks.
    std::vector<RankingReport> simulator{};
    bool is_best = false;
};

/// Called on the training thread; empty functions are not called.
struct TrainingObserver {
    std::function<void(const StepReport&)> step;
    std::function<void(const EpochReport&)> epoch;
    /// Called after every step and epoch with a state to resume from. An error ends the training.
    std::function<Result<void>(const TrainingState&)> checkpoint;
    /// The progress of a validation, which may take longer than a step.
    ProgressSink validation;
};

enum class TrainingEnd {
    Finished,     ///< all epochs
    StoppedEarly, ///< the validation loss has not fallen for too long
    Stopped,      ///< by the stop token, in an epoch or its validation; the state can be resumed
};

struct TrainingResult {
    TrainingState state;
    TrainingEnd end = TrainingEnd::Finished;
};

/// Goes on from `state`: the same data, options and state give the same result, bit for bit on one thread.
/// Errors: a pattern that can't be had; a loss or gradient that is no finite number (Fault::Input, naming
/// epoch, step and the likely cause); nothing to train on; a state of another method.
///
/// Processes of a group call it with the same data and options; the state is that of process 0. They divide
/// the episodes of each step (a supervised step has one), each validates for itself, and all end alike: with
/// the result of one process but for rounding. Only the observer of one process should
/// write.
[[nodiscard]] Result<TrainingResult> train(ExampleStore& examples, const WorkloadSplit& split,
                                           const TrainingOptions& options, TrainingState state,
                                           const TrainingObserver& observer = {},
                                           const std::stop_token& stop = {}, const ProcessGroup& group = {});

/// The reports of every task on these workloads, each after the method's inner loop on its validation support
/// set. Errors: those of report_ranking(); Fault::Cancelled.
[[nodiscard]] Result<std::vector<RankingReport>>
validate(ExampleStore& examples, const WorkloadSplit& split, std::span<const std::size_t> workloads,
         const TrainingOptions& options, const MetaParameters& parameters, const std::stop_token& stop = {},
         const ProgressSink& progress = {});

/// The length of a training that evaluates a given number of examples, so that what was learned from
/// different tasks can be compared: steps over few workloads are smaller.
struct TrainingLength {
    int epochs = 0;
    std::int64_t steps = 0; ///< over all epochs; the last of them may be cut short
    std::int64_t examples = 0;
};

/// The number of configurations that a step evaluates where there are enough workloads and configurations.
[[nodiscard]] std::int64_t examples_of_full_step(const TrainingOptions& options);

/// The fewest steps, at least 1, that evaluate `examples` configurations. A pure function of the inputs of
/// training_plan.h. Errors (Fault::Input): nothing to train on.
[[nodiscard]] Result<TrainingLength> training_length(const TaskSet& tasks,
                                                     const std::vector<std::size_t>& train,
                                                     const TrainingOptions& options, std::int64_t examples);

/// train() over exactly these steps, or the remaining ones; the options' epochs are those of the length. No
/// validation: the last weights count. Errors: those of train(); Fault::Cancelled; training
/// resumes from the observer's last checkpoint.
[[nodiscard]] Result<TrainingState> train_for(ExampleStore& examples, const std::vector<std::size_t>& train,
                                              TrainingOptions options, const TrainingLength& length,
                                              TrainingState state, const TrainingObserver& observer = {},
                                              const std::stop_token& stop = {});

} // namespace sparsight
