// The order of the loops that two schedules share, in the two parts that can be decided apart.
#pragma once

#include "schedule/super_schedule.h"

#include <cstddef>
#include <vector>

namespace sparsight {

/// Any pair of parts of two schedules over the same loops is an order again: that is why they are decisions.
struct SharedOrder {
    std::vector<LoopIndex> levels;          ///< loops over A's indices, outermost first
    std::vector<LoopIndex> dense;           ///< loops over the dense index, outermost first
    std::vector<std::size_t> outside_dense; ///< for each dense loop, how many of `levels` stand outside it

    [[nodiscard]] std::vector<LoopIndex> loops() const;
};

/// Of the loops that `schedule` and `other` both have, as `schedule` orders them.
[[nodiscard]] SharedOrder shared_order(const SuperSchedule& schedule, const SuperSchedule& other);

} // namespace sparsight
