// The gradient of one step of training: the mean over its episodes, which processes that train together
// divide among themselves.
#pragma once

#include "learning/example_store.h"
#include "learning/process_group.h"
#include "learning/training_options.h"
#include "learning/training_plan.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <vector>

namespace sparsight {

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
