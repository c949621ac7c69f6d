// A layer for each vertex of a graph without cycles, so that arcs point down and are short in sum: the
// network simplex method of Gansner, Koutsofios, North and Vo, "A technique for drawing directed graphs"
// (1993), section 2.
#pragma once

#include "widgets/graph/layout/adjacency.h"

namespace sparsight {

struct LayerArc {
    Arc arc;
    std::ptrdiff_t length = 1; ///< the least
    std::ptrdiff_t weight = 1; ///< how much each layer that it is longer costs
};

/// The uppermost layer is 0. A connected graph has a spanning tree of arcs that have their least length.
[[nodiscard]] std::vector<std::size_t> assign_layers(std::size_t vertices, std::vector<LayerArc> arcs);

} // namespace sparsight
