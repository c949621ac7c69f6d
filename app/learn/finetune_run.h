// A whole fine-tuning: the model before and after it, and how good it and others become with how many
// matrices.
#pragma once

#include "command/job_events.h"
#include "learn/finetune_request.h"
#include "learn/run_claim.h"

#include <stop_token>

namespace sparsight {

struct FinetuneOrder {
    RunSettings settings;
    FinetuneRequest request;
    Redo redo = Redo::Never;
};

/// Tells its events. `stop` is requested by signals.
[[nodiscard]] ExitCode run_finetuning(Session& session, JobEvents& events, const FinetuneOrder& order,
                                      const std::stop_token& stop);

} // namespace sparsight
