// What a page and a terminal say of a smallest change of a schedule.
#pragma once

#include "evaluation/diagnosis/counterfactual.h"

#include <string>

namespace sparsight {

/// "split of i 8 → not split, chunk 4 → 32"; `before` is the schedule that is changed.
[[nodiscard]] std::string changed_decisions(const ScheduleChange& change, const SuperSchedule& before);

/// Whether the changed schedule wins against the one that it is held against, whose time is `from`.
[[nodiscard]] std::string verdict(const ScheduleChange& change, const HybridTime& from);

} // namespace sparsight
