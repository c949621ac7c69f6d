// What a run learns from: tasks of the workspace and imagined ones, and which matrices are for what.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "command/session.h"
#include "learn/train_request.h"
#include "learning/task.h"

#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct TrainingData {
    TaskSet set;
    MatrixSplit split;
    std::vector<std::string> notes; ///< what is learned from, what is left out and why; sentences
};

/// Refers to the workspace, which has to live as long. Errors: nothing to learn from; machines and splits
/// that there are not; too few matrices; Fault::Cancelled.
[[nodiscard]] Result<TrainingData> training_data(Workspace& workspace, const TrainRequest& request,
                                                 const std::stop_token& stop, const ProgressSink& progress);

/// By machine {"runtimes": how many, "digest": of every matrix, schedule, time and spread} of these parts of
/// a split, with the facts of the machine where a network reads them: a run that learns from data that have
/// changed is another one. Of what it is only tested with it is the same.
[[nodiscard]] Json identity_of(const TaskSet& set, const std::vector<std::vector<std::size_t>>& parts,
                               bool reads_machine);

[[nodiscard]] std::vector<std::string> matrix_names(const TaskSet& set,
                                                    const std::vector<std::size_t>& matrices);
[[nodiscard]] std::vector<std::string> machine_names(const TaskSet& set);

} // namespace sparsight
