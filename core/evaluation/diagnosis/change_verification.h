// Whether schedules that seem to beat another one do so: measured in turns with it, where times vary.
#pragma once

#include "evaluation/diagnosis/hybrid_evaluator.h"
#include "evaluation/diagnosis/measured_lead.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

struct VerificationOptions {
    int least_turns = 5;
    int most_turns = 11; ///< where the least do not decide; one look more, for every look may be luck
    std::function<bool()> is_over = [] { return false; }; ///< asked before each turn beyond the least
    std::function<void()> tell{};                         ///< before each measurement
    std::stop_token stop{};
};

/// Of each candidate against `other`, every turn in the other direction than the one before. Absent where it
/// could not be measured in every turn. Only for an evaluator whose times vary. Errors: those of
/// measure_again(); Fault::Cancelled.
[[nodiscard]] Result<std::vector<std::optional<MeasuredLead>>>
verify_in_turns(HybridEvaluator& evaluator, const SuperSchedule& other,
                std::span<const SuperSchedule> candidates, const VerificationOptions& options = {});

} // namespace sparsight
