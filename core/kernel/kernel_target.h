// The processor that a loop nest is shaped for.
#pragma once

#include <cstdint>

namespace sparsight {

struct KernelTarget {
    int lanes = 4;             ///< float32 elements of one vector register
    int accumulator_limit = 8; ///< vector registers that a tile may fill; the rest hold operands
    /// Of the last cache; a C that would fill more than half of it is stored past it, so that it does not
    /// drive out B and no line of it is read before it is overwritten. 0: not known, never.
    std::int64_t cache_bytes = 0;

    /// 16 lanes and 24 accumulators with AVX-512, 8 and 12 with AVX2, 4 and 12 otherwise.
    [[nodiscard]] static KernelTarget of_this_computer();
};

} // namespace sparsight
