// Coordinates that have the same neighbours. A layer whose input is 1 everywhere gives all coordinates of a
// class the same output, and bands, blocks and scattered points have a few dozen classes among a million
// coordinates.
#pragma once

#include "base/aligned_buffer.h"
#include "model/neighbour_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sparsight {

struct NeighbourhoodClasses {
    NeighbourTable
        table; ///< which neighbours a class has, in the order of their first coordinates; masks only
    std::vector<std::int64_t> sizes; ///< how many coordinates each class has
    IndexBuffer of_centre;           ///< the class of each coordinate

    [[nodiscard]] std::int64_t count() const { return table.count(); }
};

/// nullptr when there are more classes than `limit`, or no coordinates.
[[nodiscard]] std::shared_ptr<const NeighbourhoodClasses> neighbourhood_classes(const NeighbourTable& table,
                                                                                std::int64_t limit);

} // namespace sparsight
