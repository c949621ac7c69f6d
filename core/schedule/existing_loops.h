// The loops that a schedule really has, apart from the names it keeps for the inner loops of unsplit indices.
#pragma once

#include "schedule/super_schedule.h"

#include <vector>

namespace sparsight {

/// Outermost first.
[[nodiscard]] std::vector<LoopIndex> existing_loops(const SuperSchedule& schedule);

/// Puts the loops that the schedule has into this order, which holds each of them once; the other names
/// follow their outer loops, as in the canonical form.
void set_existing_loops(SuperSchedule& schedule, std::span<const LoopIndex> loops);

} // namespace sparsight
