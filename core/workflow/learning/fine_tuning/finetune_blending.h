// Blends a fine-tuned network with the simulator, and says what came of it.
#pragma once

#include "base/observer.h"
#include "learning/learning_domain.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace sparsight {

/// Fills in the blend and what showed it, or a remark on why there is none. Errors: those of
/// SimulatorBlending::fit() but for measurements that say nothing of the machine.
[[nodiscard]] Result<void> blend_into(FinetuneOutcome& outcome, const SimulatorBlending& blending,
                                      ExampleStore& examples, std::span<const std::size_t> tuned,
                                      const BlendingOptions& options, const MetaParameters& start,
                                      const ProgressSink& progress, const std::stop_token& stop);

} // namespace sparsight
