// Which SuperSchedules can be built and run at all.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"

#include <vector>

namespace sparsight {

inline constexpr std::int64_t maximum_split = std::int64_t{1} << 30;
inline constexpr int maximum_threads = 1024;
inline constexpr int maximum_chunk = 1 << 20;

/// All loops that a schedule of the operator names: i1 i0 k1 k0 j1 j0, i1 i0 k1 k0 or i1 i0 j1 j0 k1 k0.
[[nodiscard]] std::vector<LoopIndex> loop_names(Operator op);

/// The loops that may run in parallel, because no two of their iterations write the same output: i1, and for
/// SDDMM j1 too. (WACO's spaces allow exactly these.)
[[nodiscard]] std::vector<LoopIndex> parallel_loops(Operator op);

/// Nothing, or the reason (Fault::Input) as a sentence for the user. Valid means:
/// - splits are 1..maximum_split; they need not divide the extents and may exceed them (the outer loop then
///   runs once, as in many published measurements), so validity does not depend on the matrix;
/// - the order names every loop of the operator once, the inner loop of a split index inside its outer loop;
/// - the parallel loop is one of parallel_loops();
/// - threads are 1..maximum_threads, the chunk is 1..maximum_chunk.
[[nodiscard]] Result<void> check(const SuperSchedule& schedule);

} // namespace sparsight
