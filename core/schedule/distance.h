// How differently two schedules decide.
#pragma once

#include "schedule/super_schedule.h"

namespace sparsight {

/// The number of decisions in which two canonical schedules of one operator differ, where a split or chunk
/// that differs by less than a factor of 16 counts in part, by its logarithm: each split, each level's
/// format, which loop runs in parallel, the chunk, and each pair of loops that stand in another order, of
/// which no more than two count. A metric but for the order of loops that only one of both has, which counts
/// nothing.
[[nodiscard]] double decision_distance(const SuperSchedule& one, const SuperSchedule& other);

} // namespace sparsight
