// The second step of lowering: which loop runs along vector lanes, and the tile of C that stays in registers.
// Kernels are lowered from it, and the simulator counts by it.
#pragma once

#include "domains/sparse/kernel/lowering/loop_order.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sparsight {

/// The block of C that stays in registers. A reduction loop whose inner loops over C all have constant
/// extents can keep their whole block in accumulators and touch C once instead of once a non-zero ("register
/// blocking", Im and Yelick, SPARSITY 2004; here for any level order).
struct TileChoice {
    std::size_t depth = 0;         ///< of the outermost loop inside the tile, a reduction loop
    std::vector<std::size_t> axes; ///< loops inside that address C; depths in the order
    bool vectorised_axis = false;  ///< the innermost axis runs along vector lanes
    /// Of a vectorised axis: so many elements fit the registers. A longer one is cut into strips, outside the
    /// tile.
    std::int64_t widest = 0;
    int lanes = 1;
};

/// The extent of the strips into which a vectorised axis is cut: the last one may be shorter. The extent
/// itself where it fits.
[[nodiscard]] std::int64_t strip_width(const TileChoice& tile, std::int64_t extent);
/// Their number.
[[nodiscard]] std::int64_t strip_count(const TileChoice& tile, std::int64_t extent);

struct LoopShape {
    LoopOrder order;
    /// Where the schedule has the loops that have become the innermost one: see shape_loops().
    std::vector<std::size_t> sunk;
    std::optional<TileChoice> tile; ///< none: C is updated in memory
    bool vectorised = false;        ///< the innermost loop runs along vector lanes
    /// From this depth on the loops are written out, step by step; as many as there are loops where none is.
    /// Those that address the tile, and those along lanes, are not told: they always are.
    std::size_t unrolled_from = 0;

    [[nodiscard]] bool is_axis(std::size_t depth) const {
        return tile && std::ranges::find(tile->axes, depth) != tile->axes.end();
    }
};

/// Where the innermost loop can't run along vector lanes, but a dense loop outside it can, that one becomes
/// the innermost. So does a whole dense index whose inner part is shorter than a vector. Nothing that A
/// stores depends on a dense loop, and each element of C is added up in the order that the others give. The
/// tile is the one of the outermost reduction loop for which the block fits the accumulators, cut into strips
/// where only the innermost loop is too long. Strips walk A once each, which does not pay where the walks are
/// short (`fill`, see MeanFill) or the strips shorter than a cache line. A target without accumulators is
/// that of code which follows the schedule loop by loop: nothing sinks, and there is no tile.
[[nodiscard]] LoopShape shape_loops(LoopOrder order, const KernelTarget& target, const MeanFill& fill);

/// The tile that such code has nevertheless: an element of C to which only reductions add stays in a register
/// during the outermost of them.
[[nodiscard]] std::optional<TileChoice> scalar_tile(const LoopOrder& order);

/// Whether the tile visits each element of C exactly once, so that C need not be cleared: no reduction
/// outside it, and for dense C no coordinate that a compressed level may leave out. (SDDMM's C has the
/// positions of A, and every one is visited.)
[[nodiscard]] bool overwrites_output(const LoopOrder& order, const TileChoice& tile);

} // namespace sparsight
