// What becomes of a model's preference when a part of the pattern is taken away (Zeiler and Fergus:
// Visualizing and understanding convolutional networks, ECCV 2014, "occlusion").
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/tensor/density_grid.h"
#include "domains/sparse/tensor/pattern.h"
#include "evaluation/model_reasons/model_reasons.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace sparsight {

/// The pattern without every `every`-th of its entries in a part, counted from the first one; 1: without any
/// of them. Values are dropped.
[[nodiscard]] CsrPattern without_entries(const CsrPattern& pattern, const Viewport& part,
                                         std::int64_t every = 1);

struct OcclusionRequest {
    const CsrPattern& pattern;
    std::int64_t cells = 16; ///< in each direction
    int threads = 1;
    /// Score of `against` less that of the schedule on a pattern.
    std::function<Result<double>(const CsrPattern&)> margin;
    std::function<bool()>
        is_over{}; ///< says that time is up: cells that were not looked at stay without support
    std::stop_token stop{};
    ProgressSink progress{};
};

/// The fullest cells are looked at first. Errors: a pattern without entries (Fault::Input); those of the
/// margin; Fault::Cancelled.
[[nodiscard]] Result<SaliencyReason> find_saliency(const OcclusionRequest& request);

} // namespace sparsight
