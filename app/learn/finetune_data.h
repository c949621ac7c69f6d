// What a fine-tuning learns from: one machine, and matrices of it that the model is not tested with.
#pragma once

#include "base/progress.h"
#include "learn/finetune_request.h"
#include "learn/stored_model.h"
#include "learn/training_data.h"

#include <stop_token>

namespace sparsight {

struct FinetuneData {
    TrainingData data;              ///< with one task
    std::vector<std::size_t> tuned; ///< matrices that are learned from, of the training ones
    Json model_ids;                 ///< of the model and its rivals: one that was made anew is another one
};

[[nodiscard]] Result<FinetuneData> finetune_data(Workspace& workspace, const FinetuneRequest& request,
                                                 const StoredModel& model, const std::stop_token& stop,
                                                 const ProgressSink& progress);

/// How a model is adapted: what the request leaves open is as the model was trained.
[[nodiscard]] Result<FineTuningOptions>
finetuning_options(Workspace& workspace, const FinetuneRequest& request, const StoredModel& model);

/// Weights, and inner rates where the model has learned some.
[[nodiscard]] MetaParameters parameters_of(const Checkpoint& checkpoint, at::Device device);

} // namespace sparsight
