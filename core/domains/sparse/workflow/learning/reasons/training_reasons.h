// Reasons that lie in what a model was trained on, and in what is known besides.
#pragma once

#include "domains/sparse/workflow/learning/reasons/reasons_data.h"

#include <functional>
#include <stop_token>

namespace sparsight {

struct TrainingReasonsSettings {
    int threads = 1;
    std::uint64_t seed = 1;
    std::function<bool()> is_over{}; ///< says that time is up: the matrices that were looked at must do
    std::stop_token stop{};
    ProgressSink progress{};
};

/// Errors: no matrix that the model learned from is in the workspace (Fault::Input); patterns that can't be
/// read; Fault::Cancelled.
[[nodiscard]] Result<NearestReason> nearest_reason(Workspace& workspace, const ReasonsData& data,
                                                   const WorkloadScorer& explained,
                                                   const TrainingReasonsSettings& settings);

/// Never by what is known of the explained matrix itself. Errors: too few runtimes (Fault::Input); as above.
[[nodiscard]] Result<UncertaintyReason> uncertainty_reason(Workspace& workspace, const ReasonsData& data,
                                                           const WorkloadScorer& explained,
                                                           const TrainingReasonsSettings& settings);

} // namespace sparsight
