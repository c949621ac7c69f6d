// Second step of lowering: which block of C stays in registers. A reduction loop whose inner loops over C all
// have constant extents can keep their whole block in accumulators and touch C once instead of once a
// non-zero ("register blocking", Im and Yelick, SPARSITY 2004; here for any level order).
#pragma once

#include "kernel/loop_order.h"
#include "kernel/lowering.h"

#include <optional>

namespace sparsight {

struct TileChoice {
    std::size_t depth = 0;         ///< of the outermost loop inside the tile, a reduction loop
    std::vector<std::size_t> axes; ///< loops inside that address C; depths in the order
    std::int64_t strip =
        0; ///< when > 0 the innermost axis is cut into strips of this extent, outside the tile
    bool vectorised_axis = false; ///< the innermost axis runs along vector lanes
};

[[nodiscard]] bool is_reduction(const LoopOrder& order, std::size_t depth);

/// Whether the innermost loop can run along vector lanes: every operand is contiguous in it or does not
/// depend on it.
[[nodiscard]] bool is_vectorisable(const LoopOrder& order);

/// The outermost reduction loop for which the block fits the accumulators, cut into strips where only the
/// innermost loop is too long. None when no loop does: C is then updated in memory.
[[nodiscard]] std::optional<TileChoice> choose_tile(const LoopOrder& order, const KernelTarget& target);

/// Whether the tile visits each element of C exactly once, so that C need not be cleared: no reduction
/// outside it, and for dense C no coordinate that a compressed level may leave out. (SDDMM's C has the
/// positions of A, and every one is visited.)
[[nodiscard]] bool overwrites_output(const LoopOrder& order, const TileChoice& tile, Operator op);

} // namespace sparsight
