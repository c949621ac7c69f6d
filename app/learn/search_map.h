// Where the schedules of a search lie on a plane, near ones alike to the model, and the way that a walk took
// among them.
#pragma once

#include "schedule/super_schedule.h"
#include "search/graph_walk.h"
#include "search/plane_projection.h"
#include "search/schedule_search.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Besides what was chosen and what the walk expanded.
inline constexpr std::size_t most_sampled_on_a_map = 2000;

struct SearchMap {
    struct Node {
        SuperSchedule schedule; ///< of several with the same embedding one
        PlanePoint place;
        float score = 0;  ///< by which was walked: of a blended model the network's
        bool seen = true; ///< the search has scored it; of a walk, which leaves most out
        std::optional<double> simulated_ms = {}; ///< of a blended model, where it would run
    };
    /// A node whose neighbours the walk looked at, in this order; numbers are places in `nodes`.
    struct Step {
        std::uint32_t node = 0;
        std::uint32_t from = 0; ///< itself: where the walk began
        int layer = 0;
    };

    std::vector<Node>
        nodes;              ///< what was chosen, in its order; what the walk expanded; a sample of the others
    std::vector<Step> walk; ///< none where nothing was walked
    std::size_t rows = 0;   ///< different embeddings there are
    std::size_t sampled = 0;           ///< so many of the nodes are there as the sample
    std::array<double, 2> explained{}; ///< the shares of the variance along x and y
};

/// Everything that could have been chosen, a row for each embedding.
struct MapRows {
    std::span<const SuperSchedule> schedules; ///< of each row, one that it stands for
    std::span<const PlanePoint> places;
    std::span<const float> scores;
};

/// `walk` over the rows may be nullptr: then all rows were scored. The sample is spread evenly over the rows.
[[nodiscard]] SearchMap make_search_map(const MapRows& rows, std::span<const ScoredSchedule> chosen,
                                        std::span<const PlanePoint> places_of_chosen, const Walk* walk);

} // namespace sparsight
