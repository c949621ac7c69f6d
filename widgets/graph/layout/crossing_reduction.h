// The order of vertices within layers, so that few arcs cross.
#pragma once

#include "widgets/graph/layout/layered_graph.h"

namespace sparsight {

/// Of all arcs: between two layers in O(E log V), after Barth, Jünger and Mutzel, "Simple and efficient
/// bilayer cross counting" (2002).
[[nodiscard]] std::size_t count_crossings(const LayeredGraph& graph);

/// Sweeps by barycentres down and up (Sugiyama et al. 1981), each followed by sifting: every vertex goes
/// where it crosses least in its layer (Matuszewski, Schönfeld and Molitor 1999). Keeps the best order.
void reduce_crossings(LayeredGraph& graph);

} // namespace sparsight
