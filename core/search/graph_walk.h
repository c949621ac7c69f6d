// Queries the graph: a best-first walk that uses the predictor's score as distance (WACO, ASPLOS 2023). All
// new neighbours of a node are scored in one call.
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
    /// How many nodes the walk keeps as candidates (ef in the paper), at least k. The walk ends when none of
    /// them has an unvisited neighbour. With as many as there are nodes, every node is scored.
    int width = 200;
    bool traced = false; ///< the visited nodes are returned, too
};

/// A node that the walk reached.
struct Visit {
    std::uint32_t node = 0;
    std::uint32_t from = 0; ///< the node whose link led there; the entry names itself
    int layer = 0;
    float score = 0;
    bool operator==(const Visit&) const = default;
};

struct Walk {
    std::vector<Ranked> best; ///< k nodes, in their order; fewer where there are no more
    std::int64_t scored = 0;  ///< nodes
    // The trace, in the order of the walk, from the entry on:
    std::vector<Visit> visits; ///< expanded nodes, whose neighbours were scored
    std::vector<Visit> seen;   ///< every scored node, in the layer where it was found
};

/// In the upper layers the walk always steps to the best neighbour. In the bottom layer it starts from every
/// node that it has scored so far.
[[nodiscard]] Walk walk_graph(const ProximityGraph& graph, const NodeScorer& scorer,
                              const WalkSettings& settings = {});

// Whether building a graph and walking it is faster than scoring all configurations.

// Costs in units of scoring one configuration, measured by search_benchmark with 1,000 to 100,000
// configurations and one thread. A walk has scattered memory accesses, keeps a queue, and scores few
// configurations at a time.
inline constexpr double walk_scores_a_place = 8; ///< a walk, for each candidate that it keeps
/// Building the graph; 1,000 and more above 10,000 configurations.
inline constexpr double graph_scores_a_configuration = 600;

struct PoolQueries {
    std::size_t configurations = 0; ///< size of the pool
    std::size_t width = 0;          ///< WalkSettings::width
    std::size_t queries = 1;        ///< workloads that the pool is searched for
    bool has_graph = false;         ///< the graph is already built
};

/// Whether walking is faster than scoring all, including the time to build a missing graph.
[[nodiscard]] constexpr bool is_graph_search_faster(const PoolQueries& pool) {
    const auto all = static_cast<double>(pool.configurations);
    const double walk = walk_scores_a_place * static_cast<double>(pool.width);
    const double graph = pool.has_graph ? 0 : graph_scores_a_configuration * all;
    return graph + static_cast<double>(pool.queries) * walk < static_cast<double>(pool.queries) * all;
}

} // namespace sparsight
