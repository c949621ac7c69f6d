// A whole fine-tuning: the model before and after it, the simulator's share in it, what the whole and its
// parts are worth on the test matrices, and how good it and others become with how many matrices.
#pragma once

#include "base/observer.h"
#include "learning/fine_tuning/simulator_blending.h"
#include "model/checkpoints/checkpoint.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"
#include "workflow/learning/fine_tuning/finetune_request.h"
#include "workflow/learning/training/run_claim.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// On what a model is tested, and how.
struct FinetuneTest {
    ExampleStore& examples;
    const std::vector<std::size_t>& matrices;
    Loss loss;
    int threads; ///< that count patterns
    const std::stop_token& stop;
};

/// Of a model as it was, which may have been blended with the simulator before.
[[nodiscard]] Result<Metrics> metrics_before(const FinetuneTest& test, const ModelDescription& model,
                                             const NamedTensors& weights);

/// Fills in after, and with a blend what each of its parts does alone.
[[nodiscard]] Result<void> test_after(const FinetuneTest& test, const NamedTensors& weights,
                                      FinetuneOutcome& outcome);

/// Fills in the blend and what showed it, or a remark on why there is none. Errors: those of
/// fit_simulator_blend() but for measurements that say nothing of the machine.
[[nodiscard]] Result<void> blend_into(FinetuneOutcome& outcome, ExampleStore& examples,
                                      std::span<const std::size_t> tuned, const BlendingOptions& options,
                                      const MetaParameters& start, const ProgressSink& progress,
                                      const std::stop_token& stop);

struct FinetuneOrder {
    RunSettings settings;
    FinetuneRequest request;
    Redo redo = Redo::Never;
};

/// Work that the user stopped is an outcome: the same order goes on with it.
[[nodiscard]] Result<FinetuneOutcome> run_finetuning(Workspace& workspace, const FinetuneOrder& order,
                                                     Observer& observer, const std::stop_token& stop);

} // namespace sparsight
