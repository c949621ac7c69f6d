// A hierarchical navigable small world graph (Malkov and Yashunin, "Efficient and robust approximate nearest
// neighbor search using hierarchical navigable small world graphs", TPAMI 2020) as a plain value.
//
// hnswlib only builds the graph. Its own search computes one distance at a time through a function pointer,
// while the predictor is fast on many configurations at once. Its files are written in place without a
// checksum, and are not checked when they are read.
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

/// The links of each node; no links for a node that is not in the layer.
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

/// The graph of rows of `width` numbers, by squared Euclidean distance. Every node of the bottom layer can be
/// reached from the entry. The result depends only on the arguments; another vector instruction set may
/// change the last bits of distances, and so a link. Stopped: Fault::Cancelled.
[[nodiscard]] Result<ProximityGraph>
build_proximity_graph(std::span<const float> rows, std::size_t width, const GraphSettings& settings = {},
                      std::stop_token stop = {}, const ProgressSink& progress = {},
                      VectorInstructions set = widest_vector_instructions());

// Makes every node reachable.

/// Adds links to the bottom layer until every node can be reached from the entry. A node that cannot be
/// reached gets a link from a reachable node that it links to; where it has none, from the entry. (hnswlib
/// removes links without checking whether they were the last way to a node.)
void make_reachable(ProximityGraph& graph);

// The distance for building the graph of configurations.

/// Σ (a[i] − b[i])² for i < count. `set` must be one that this processor supports.
using SquaredDistance = float (*)(const float* a, const float* b, std::size_t count);
[[nodiscard]] SquaredDistance squared_distance_kernel(VectorInstructions set);

} // namespace sparsight
