// Rectangles of nodes and routes of edges, once vertices have their layers, order and horizontal places.
#pragma once

#include "widgets/graph/layout/layered_graph.h"
#include "widgets/graph/layout/layered_layout.h"

#include <utility>

namespace sparsight {

/// An edge from a node to itself.
struct LoopEdge {
    std::size_t edge = 0;
    std::size_t node = 0;
    double label_room = 0; ///< at its right
};

struct PartDrawing {
    std::vector<QRectF> nodes;
    std::vector<std::pair<std::size_t, LayoutRoute>> routes; ///< with the numbers of their edges
    QSizeF size;
};

[[nodiscard]] PartDrawing draw_part(const LayeredGraph& graph, const std::vector<double>& places,
                                    const std::vector<QSizeF>& sizes, const std::vector<LoopEdge>& loops,
                                    const LayoutSpacing& spacing);

} // namespace sparsight
