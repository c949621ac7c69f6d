// SuperSchedule → loop nest. Two steps, one file each: the flat list of loops that the schedule names
// (loop_order), and the choice of the block of C that is held in registers (register_tile); this puts them
// together.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"

namespace sparsight {

/// The schedule must be valid; the extents positive or zero (a zero extent gives loops that do not run).
[[nodiscard]] LoopNest lower(const SuperSchedule& schedule, const Extents& extents,
                             const KernelTarget& target);

} // namespace sparsight
