// The order of vertices within layers, so that few arcs cross.
#pragma once

#include "widgets/graph/layout/layered_graph.h"

namespace sparsight {

/// Of all arcs: between two layers in O(E log V), after Barth, Jünger and Mutzel, "Simple and efficient
/// bilayer cross counting" (2002).
[[nodiscard]] std::size_t count_crossings(const LayeredGraph& graph);

/// Sweeps by barycentres down and up, each followed by transpositions of neighbours (Sugiyama et al. 1981,
/// Gansner et al. 1993). Keeps the best order.
void reduce_crossings(LayeredGraph& graph);

} // namespace sparsight
