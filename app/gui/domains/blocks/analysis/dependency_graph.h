// The dependencies of a block as a graph: instructions are nodes, results that others wait for are edges.
#pragma once

#include "gui/domains/blocks/analysis/block_reader.h"
#include "widgets/graph/graph.h"

namespace sparsight {

/// The id of a node is the place of its instruction. The critical chain is marked; an instruction that only
/// the busiest ports can do says so in its badge.
[[nodiscard]] Graph dependency_graph(const DecodedBlock& block, const MachineAnalysis& machine);

} // namespace sparsight
