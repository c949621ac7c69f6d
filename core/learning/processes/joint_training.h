// Whether processes that train together have anything to train: the first of them finds that out, and none
// goes on where another can't.
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
    NothingToDo, ///< the first says so
};

/// All call it once, before train(), also those that failed or were asked to stop before: what is `mine`, and
/// what all do then. Errors: `mine`; another process failed (Fault::Environment) or was stopped
/// (Fault::Cancelled).
[[nodiscard]] Result<SharedStart> agree_on_start(ProcessGroup& group, Result<SharedStart> mine,
                                                 const std::stop_token& stop);

// Where processes that train together begin: all with the state of the first, which alone keeps it.

/// The state of process 0, the same bits for all. The others give one of the same network and method.
[[nodiscard]] Result<TrainingState> shared_state(const ProcessGroup& group, TrainingState mine);

// The gradient of one step of training: the mean over its episodes, which processes that train together
// divide among themselves.

struct StepGradient {
    double loss = 0;
    std::vector<at::Tensor> tensors; ///< of the weights, then of the rates
    std::size_t examples = 0;        ///< schedules that were looked at
};

/// Episode e is worked on by the process e mod count. All processes call this with the same plan, options and
/// parameters, and all get the same bits; with one process they are those of working alone. Where one of them
/// was asked to stop or failed, none goes on: the result is Fault::Cancelled or an error for all.
[[nodiscard]] Result<StepGradient> step_gradient(ExampleStore& examples, const StepPlan& plan,
                                                 const TrainingOptions& options,
                                                 const MetaParameters& parameters, const ProcessGroup& group,
                                                 bool asked_to_stop);

/// Whether all processes got through something that each did by itself: `mine` where they did, the error of
/// one of them otherwise.
[[nodiscard]] Result<void> agree(const ProcessGroup& group, Result<void> mine);

} // namespace sparsight
