// What each part of a model that is blended with the simulator (model/simulator_blend.h) says of schedules by
// itself: which of the two a rank is owed to.
#pragma once

#include "base/error.h"
#include "model/cost_model.h"

#include <optional>
#include <span>
#include <vector>

namespace sparsight {

struct ScorePart {
    float network = 0; ///< of its score, before its share is taken of it
    /// On the calibrated machine; empty where the storage would be refused, so that it would never run.
    std::optional<double> simulated_ms;
};

/// One for each schedule; none for a model that is not blended. `scorer` has looked at the pattern; `threads`
/// count it. Errors: those of PatternScorer::score_embeddings() and profile_all().
[[nodiscard]] Result<std::vector<ScorePart>> score_parts(const CostModel& model, const PatternScorer& scorer,
                                                         const CsrPattern& pattern,
                                                         std::span<const SuperSchedule> schedules,
                                                         int threads);

} // namespace sparsight
