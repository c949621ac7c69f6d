// Whether a graph is worth building and walking, or all schedules are sooner scored.
#pragma once

#include <cstddef>

namespace sparsight {

// What things take, in scores of one schedule among all: as search_benchmark measures with 1,000 to 100,000
// schedules and one thread. A walk jumps about in memory, keeps a queue, and scores few schedules at a time.
inline constexpr double walk_scores_a_place = 8;       ///< a walk, for each place that it keeps in view
inline constexpr double graph_scores_a_schedule = 600; ///< building the graph; 1,000 and more beyond 10,000

struct PoolQueries {
    std::size_t schedules = 0; ///< of the pool
    std::size_t width = 0;     ///< WalkSettings::width
    std::size_t queries = 1;   ///< matrices that the pool is searched for
    bool has_graph = false;    ///< it is there already
};

/// Whether walking takes less time than scoring all, with building the graph where there is none yet.
[[nodiscard]] constexpr bool is_walk_sooner(const PoolQueries& pool) {
    const auto all = static_cast<double>(pool.schedules);
    const double walk = walk_scores_a_place * static_cast<double>(pool.width);
    const double graph = pool.has_graph ? 0 : graph_scores_a_schedule * all;
    return graph + static_cast<double>(pool.queries) * walk < static_cast<double>(pool.queries) * all;
}

} // namespace sparsight
