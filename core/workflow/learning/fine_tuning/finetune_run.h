// Runs a fine-tuning: tests the model before and after, and measures the shot curve of this and other models.
#pragma once

#include "base/observer.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"
#include "workflow/learning/fine_tuning/finetune_request.h"
#include "workflow/learning/settings.h"
#include "workflow/learning/training/training_journal.h"

#include <stop_token>

namespace sparsight {

struct FinetuneOrder {
    RunSettings settings;
    FinetuneRequest request;
    Redo redo = Redo::Never;
};

/// If the user stops it, that is an outcome: the same order resumes it.
[[nodiscard]] Result<FinetuneOutcome> run_finetuning(Workspace& workspace, const LearningDomains& domains,
                                                     const FinetuneOrder& order, Observer& observer,
                                                     const std::stop_token& stop);

} // namespace sparsight
