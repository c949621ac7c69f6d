// One step through the space of schedules: change one decision, keep the rest.
#pragma once

#include "schedule/super_schedule.h"

#include <vector>

namespace sparsight {

/// No chunk grows beyond the largest of WACO's space.
inline constexpr int largest_chunk = 256;

/// Every schedule that differs from a valid one in one decision; all valid, canonical, different from the
/// start and from each other. The decisions are
/// - a split: doubled while it does not cover the extent yet, or halved (rounded down) until it is gone; one
///   that appears stands directly inside its outer loop, uncompressed;
/// - the format of a level that is there: flipped;
/// - the order: two loops next to each other swapped, unless they are the two parts of one index;
/// - the parallel loop: another one that is allowed;
/// - the chunk: doubled up to largest_chunk, or halved.
/// Threads are no decision: WACO always takes all the machine has, and no cost model here sees them.
///
/// A step can be taken back by one step, where splits and chunk are powers of two within these bounds, but
/// for the removal of a split whose inner loop stood elsewhere or was compressed: where it stood is
/// forgotten.
[[nodiscard]] std::vector<SuperSchedule> neighbours(const SuperSchedule& schedule, const Extents& extents);

} // namespace sparsight
