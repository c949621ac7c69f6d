// The query: a best-first walk through the graph with the predictor as its distance (WACO, ASPLOS 2023), all
// new neighbours of a node scored in one call.
#pragma once

#include "search/proximity_graph.h"
#include "search/ranking.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sparsight {

/// scores[i] becomes that of nodes[i]; lower is better.
using NodeScorer = std::function<void(std::span<const std::uint32_t> nodes, std::span<float> scores)>;

struct WalkSettings {
    int k = 20;
    /// How many nodes stay in view (ef of the paper, at least k): the walk ends where none of them has a
    /// neighbour left that has not been looked at. As many as there are nodes: every node is scored.
    int width = 200;
    bool traced = false; ///< the way is kept, too
};

/// A node that the walk came to.
struct Visit {
    std::uint32_t node = 0;
    std::uint32_t from = 0; ///< whose link led there; itself: the entry
    int layer = 0;
    float score = 0;
    bool operator==(const Visit&) const = default;
};

struct Walk {
    std::vector<Ranked> best; ///< k nodes, in their order; fewer where there are no more
    std::int64_t scored = 0;  ///< nodes
    // Where the walk was traced, in the order in which it was made, from the entry on:
    std::vector<Visit> visits; ///< nodes that were expanded: their neighbours were looked at
    std::vector<Visit> seen;   ///< each node that was scored, in the layer where it was found
};

/// Down the upper layers it always steps to the best neighbour; all that it has scored on the way are its
/// entries to the bottom layer.
[[nodiscard]] Walk walk_graph(const ProximityGraph& graph, const NodeScorer& scorer,
                              const WalkSettings& settings = {});

// Whether a graph is worth building and walking, or all configurations are sooner scored.

// What things take, in scores of one configuration among all: as search_benchmark measures with 1,000 to
// 100,000 configurations and one thread. A walk jumps about in memory, keeps a queue, and scores few
// configurations at a time.
inline constexpr double walk_scores_a_place = 8; ///< a walk, for each place that it keeps in view
/// Building the graph; 1,000 and more beyond 10,000.
inline constexpr double graph_scores_a_configuration = 600;

struct PoolQueries {
    std::size_t configurations = 0; ///< of the pool
    std::size_t width = 0;          ///< WalkSettings::width
    std::size_t queries = 1;        ///< workloads that the pool is searched for
    bool has_graph = false;         ///< it is there already
};

/// Whether walking takes less time than scoring all, with building the graph where there is none yet.
[[nodiscard]] constexpr bool is_graph_search_faster(const PoolQueries& pool) {
    const auto all = static_cast<double>(pool.configurations);
    const double walk = walk_scores_a_place * static_cast<double>(pool.width);
    const double graph = pool.has_graph ? 0 : graph_scores_a_configuration * all;
    return graph + static_cast<double>(pool.queries) * walk < static_cast<double>(pool.queries) * all;
}

} // namespace sparsight
