// The first step of lowering: the order of the loops that a schedule really has. The second one is in
// loop_shape.h.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <optional>
#include <string>
#include <vector>

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

[[nodiscard]] bool is_reduction(const LoopOrder& order, std::size_t depth);

} // namespace sparsight
