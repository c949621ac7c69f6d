// The smallest change that makes up for a loss without a win: a schedule that is as fast as the other side.
#pragma once

#include "evaluation/diagnosis/counterfactual.h"

#include <optional>
#include <span>

namespace sparsight {

/// With the fewest decisions; of those what becomes the other side's program, or else is the fastest, by all
/// that is known of it: nothing is measured. It is faster than the slow schedule beyond the errors, and where
/// several decisions differ it leaves some of them; a single one may be taken back. Absent where none is, or
/// where both sides are equally fast to begin with. Errors: those of HybridEvaluator::time().
[[nodiscard]] Result<std::optional<LossRemoval>>
smallest_loss_removal(const Blame& blame, HybridEvaluator& evaluator, std::span<const ScheduleChange> tried);

} // namespace sparsight
