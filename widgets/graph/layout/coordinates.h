// Horizontal places of vertices, after Brandes and Köpf, "Fast and simple horizontal coordinate assignment"
// (2001), with the compaction of the erratum by Brandes, Walter and Zink (2020). Long edges are straight
// between their ends.
#pragma once

#include "widgets/graph/layout/layered_graph.h"

namespace sparsight {

struct LayoutSpacing;

/// The smallest is not negative; vertices of a layer are as far apart as their extents and the spacing ask
/// for.
[[nodiscard]] std::vector<double> horizontal_places(const LayeredGraph& graph, const LayoutSpacing& spacing);

} // namespace sparsight
