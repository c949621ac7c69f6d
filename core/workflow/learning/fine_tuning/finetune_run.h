// A whole fine-tuning: the model before and after it, the simulator's share in it, what the whole and its
// parts are worth on the test workloads, and how good it and others become with how many workloads.
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

/// Work that the user stopped is an outcome: the same order goes on with it.
[[nodiscard]] Result<FinetuneOutcome> run_finetuning(Workspace& workspace, const LearningDomains& domains,
                                                     const FinetuneOrder& order, Observer& observer,
                                                     const std::stop_token& stop);

} // namespace sparsight
