// What keeps a schedule from being built.
#pragma once

#include "evaluation/diagnosis/hybrid.h"
#include "evaluation/diagnosis/hybrid_evaluator.h"

#include <vector>

namespace sparsight {

/// The decisions of which each alone, taken as the other schedule has it, gives the hybrid a time.
[[nodiscard]] Result<std::vector<Decision>> build_remedies(const HybridSpace& space, DecisionSet hybrid,
                                                           HybridEvaluator& evaluator);

/// "the schedule '…' has no time that could be shared out: …; it would have one with format of k1
/// compressed".
[[nodiscard]] Result<std::string> unbuildable_text(const HybridSpace& space, DecisionSet hybrid,
                                                   const std::string& reason, HybridEvaluator& evaluator);

} // namespace sparsight
