// What a page and a terminal say of a smallest change of a schedule.
#pragma once

#include "evaluation/diagnosis/counterfactual.h"

#include <string>

namespace sparsight {

/// "split of i 8 → not split, chunk 4 → 32"; `before` is the schedule that is changed.
[[nodiscard]] std::string changed_decisions(const ScheduleChange& change, const SuperSchedule& before);

/// By how much more than noise a change that wins does so against the other side, whose time is `from`.
[[nodiscard]] std::string verdict(const ScheduleChange& change, const HybridTime& from);

} // namespace sparsight
