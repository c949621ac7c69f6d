// Whether a walk can get everywhere.
#pragma once

#include "search/proximity_graph.h"

namespace sparsight {

/// Adds links to the bottom layer until every node can be reached from the entry: to a node that cannot, from
/// one that it links to and that can be reached; where it has none, from the entry. (hnswlib prunes links
/// without looking whether they were the last way to a node.)
void make_reachable(ProximityGraph& graph);

} // namespace sparsight
