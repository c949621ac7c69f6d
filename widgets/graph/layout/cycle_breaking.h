// Which arcs of a graph have to be turned round so that no cycle remains.
#pragma once

#include "widgets/graph/layout/adjacency.h"

namespace sparsight {

/// For each vertex the number of its strongly connected component (Tarjan 1972).
[[nodiscard]] std::vector<std::size_t> strong_components(std::size_t vertices, std::span<const Arc> arcs);

/// Few arcs, all of them within strong components, without which the graph has no cycle: the greedy heuristic
/// of Eades, Lin and Smyth (1993). Among equals, vertices keep their order. Loops are not among them.
[[nodiscard]] std::vector<bool> feedback_arcs(std::size_t vertices, std::span<const Arc> arcs);

} // namespace sparsight
