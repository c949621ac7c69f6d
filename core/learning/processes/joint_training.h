// Training by several processes together: agreeing on the start, sharing the state of the first process, and
// dividing the gradient of each step.
#pragma once

#include "learning/processes/process_group.h"
#include "learning/training/example_store.h"
#include "learning/training/training_plan.h"
#include "learning/training/training_state.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <stop_token>
#include <vector>

namespace sparsight {

enum class SharedStart {
    Train,
    NothingToDo, ///< according to the first process
};

/// Agrees on whether there is anything to train: the first process decides, and no process continues if
/// another cannot. All processes call this once before train() with their own state as `mine`, also those
/// that failed or were stopped before. All get the same result. Errors: `mine`; another process failed
/// (Fault::Environment) or was stopped (Fault::Cancelled).
[[nodiscard]] Result<SharedStart> agree_on_start(ProcessGroup& group, Result<SharedStart> mine,
                                                 const std::stop_token& stop);

/// Sends the state of process 0, which alone stores it, to all processes bit by bit. The others pass a state
/// of the same network and method.
[[nodiscard]] Result<TrainingState> shared_state(const ProcessGroup& group, TrainingState mine);

/// The gradient of one step of training: the mean over its episodes, which processes that train together
/// divide among themselves.
struct StepGradient {
    double loss = 0;
    std::vector<at::Tensor> tensors; ///< of the weights, then of the rates
    std::size_t examples = 0;        ///< configurations that were evaluated
};

/// Process e mod count works on episode e. All processes call this with the same plan, options and
/// parameters, and all get the same bits; a single process gets those of working alone. Where one of them
/// was stopped or failed, all stop: the result is Fault::Cancelled or an error for all.
[[nodiscard]] Result<StepGradient> step_gradient(ExampleStore& examples, const StepPlan& plan,
                                                 const TrainingOptions& options,
                                                 const MetaParameters& parameters, const ProcessGroup& group,
                                                 bool asked_to_stop);

/// Whether all processes succeeded in a step that each did alone: `mine` if they did, otherwise the error of
/// one of them.
[[nodiscard]] Result<void> agree(const ProcessGroup& group, Result<void> mine);

} // namespace sparsight
