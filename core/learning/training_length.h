// Training that looks at a given number of examples, so that what was learned from different tasks can be
// compared: steps over few matrices are smaller ones.
#pragma once

#include "learning/trainer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparsight {

struct TrainingLength {
    int epochs = 0;
    std::int64_t steps = 0; ///< over all epochs; the last of them may be cut short
    std::int64_t examples = 0;
};

/// Schedules that a step of the options looks at where there are matrices and schedules enough.
[[nodiscard]] std::int64_t examples_of_full_step(const TrainingOptions& options);

/// The fewest steps that look at so many schedules, at least 1. A pure function of what training_plan.h plans
/// from. Errors (Fault::Input): nothing to train on.
[[nodiscard]] Result<TrainingLength> training_length(const TaskSet& tasks,
                                                     const std::vector<std::size_t>& train,
                                                     const TrainingOptions& options, std::int64_t examples);

/// train() over exactly these steps, or what is left of them; the options' epochs are the length's. No
/// validation: the last weights count. Errors: those of train(); Fault::Cancelled, with the observer's last
/// checkpoint as what to go on from.
[[nodiscard]] Result<TrainingState> train_for(ExampleStore& examples, const std::vector<std::size_t>& train,
                                              TrainingOptions options, const TrainingLength& length,
                                              TrainingState state, const TrainingObserver& observer = {},
                                              const std::stop_token& stop = {});

} // namespace sparsight
