// The first two steps of lowering: the order of the loops that a schedule really has, and the tile of C that
// stays in registers.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <array>
#include <optional>

namespace sparsight {

/// One loop of the order; the fields are those of Loop.
struct OrderedLoop {
    LoopKind kind = LoopKind::Dense;
    Index index = Index::I;
    Variable coordinate = 0;
    std::int64_t extent = 0;
    std::optional<Clip> clip;
    std::size_t level = 0;
    Variable position = -1;
    Affine parent;
    bool parallel = false;
    std::int64_t strip = 0; ///< see Loop
};

/// First step of lowering: the loops that a schedule really has, outermost first, with the address of every
/// operand. Loops that the schedule names but that run once are removed, and adjacent parts of one index are
/// one loop again.
struct LoopOrder {
    Operator op = Operator::SpMM;
    std::vector<std::string> variables;
    std::vector<OrderedLoop> loops;
    Access target;               ///< of C
    std::vector<Access> factors; ///< A first, then the dense operands
};

[[nodiscard]] LoopOrder order_loops(const SuperSchedule& schedule, const Extents& extents,
                                    const StorageFormat& storage);

/// Second step of lowering: the block of C that stays in registers. A reduction loop whose inner loops over
/// C all have constant extents can keep their whole block in accumulators and touch C once instead of once a
/// non-zero ("register blocking", Im and Yelick, SPARSITY 2004; here for any level order).
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
