// First step of lowering: the loops that a schedule really has, outermost first, with the address of every
// operand. Loops that the schedule names but that run once are gone, and adjacent parts of one index are one
// loop again.
#pragma once

#include "kernel/loop_nest.h"

#include <array>
#include <optional>

namespace sparsight {

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

struct LoopOrder {
    std::vector<std::string> variables;
    std::vector<OrderedLoop> loops;
    Access target;               ///< of C
    std::vector<Access> factors; ///< A first, then the dense operands
};

[[nodiscard]] LoopOrder order_loops(const SuperSchedule& schedule, const Extents& extents,
                                    const StorageFormat& storage);

} // namespace sparsight
