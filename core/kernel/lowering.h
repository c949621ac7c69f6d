// SuperSchedule → loop nest. Two steps, one file each: the flat list of loops that the schedule names
// (loop_order), and the choice of the block of C that is held in registers (register_tile); this puts them
// together.
#pragma once

#include "base/error.h"
#include "kernel/loop_nest.h"

namespace sparsight {

/// The vector unit that the nest is shaped for.
struct VectorUnit {
    int lanes = 4;             ///< float32 elements of one register
    int accumulator_limit = 8; ///< registers that a tile may fill; the rest hold operands
    /// Of the last cache; a C that would fill more than half of it is stored past it, so that it does not
    /// drive out B and no line of it is read before it is overwritten. 0: not known, never.
    std::int64_t cache_bytes = 0;

    /// 16 lanes and 24 accumulators with AVX-512, 8 and 12 with AVX2, 4 and 12 otherwise.
    [[nodiscard]] static VectorUnit of_this_computer();
};

/// The schedule must be valid; the extents positive or zero (a zero extent gives loops that do not run).
[[nodiscard]] LoopNest lower(const SuperSchedule& schedule, const Extents& extents, const VectorUnit& unit);

} // namespace sparsight
