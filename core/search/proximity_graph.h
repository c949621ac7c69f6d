// A hierarchical navigable small world (Malkov and Yashunin, "Efficient and robust approximate nearest
// neighbor search using hierarchical navigable small world graphs", TPAMI 2020) as a plain value.
//
// hnswlib builds it, and nothing else: its own search asks for one distance at a time through a pointer to a
// function, where the predictor wants many configurations at once; and its files are written in place,
// without a checksum, and believed when they are read.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "model/vector_instructions.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The links of each node; none for a node that is not in the layer.
struct LinkLists {
    std::vector<std::uint32_t> starts; ///< [nodes + 1], into links
    std::vector<std::uint32_t> links;

    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        return std::span(links).subspan(starts[node], starts[node + 1] - starts[node]);
    }
    bool operator==(const LinkLists&) const = default;
};

struct ProximityGraph {
    std::uint32_t node_count = 0;
    std::uint32_t entry = 0;       ///< in the top layer
    std::vector<LinkLists> layers; ///< bottom first; the bottom one has every node. None: no nodes

    bool operator==(const ProximityGraph&) const = default;
};

struct GraphSettings {
    int links = 32;               ///< M of the paper and of WACO; the bottom layer has up to twice as many
    int construction_width = 200; ///< efConstruction
    std::uint64_t seed = 1;
};

/// Of rows of `width` numbers, by squared Euclidean distance; in the bottom layer every node can be reached
/// from the entry. Depends on nothing but its arguments (with another vector set the last bits of distances
/// differ, and so may a link). Stopped: Fault::Cancelled.
[[nodiscard]] Result<ProximityGraph>
build_proximity_graph(std::span<const float> rows, std::size_t width, const GraphSettings& settings = {},
                      std::stop_token stop = {}, const ProgressSink& progress = {},
                      VectorInstructions set = widest_vector_instructions());

// Whether a walk can get everywhere.

/// Adds links to the bottom layer until every node can be reached from the entry: to a node that cannot, from
/// one that it links to and that can be reached; where it has none, from the entry. (hnswlib prunes links
/// without looking whether they were the last way to a node.)
void make_reachable(ProximityGraph& graph);

// The distance that the graph of configurations is built by.

/// Σ (a[i] − b[i])² for i < count. `set` must be one that this processor supports.
using SquaredDistance = float (*)(const float* a, const float* b, std::size_t count);
[[nodiscard]] SquaredDistance squared_distance_kernel(VectorInstructions set);

} // namespace sparsight
