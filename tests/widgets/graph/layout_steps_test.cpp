#include "random_graphs.h"
#include "widgets/graph/layout/crossing_reduction.h"
#include "widgets/graph/layout/cycle_breaking.h"
#include "widgets/graph/layout/layer_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

std::vector<Arc> arcs_of(const LayoutInput& input) {
    std::vector<Arc> arcs;
    for (const LayoutEdge& edge : input.edges)
        arcs.push_back({edge.from, edge.to});
    return arcs;
}

bool has_cycle(std::size_t vertices, const std::vector<Arc>& arcs) {
    const auto component = strong_components(vertices, arcs);
    return std::ranges::any_of(arcs,
                               [&](const Arc& arc) { return component[arc.from] == component[arc.to]; });
}

TEST(StrongComponents, AreVerticesThatReachEachOther) {
    const std::vector<Arc> arcs{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {5, 5}};
    const auto component = strong_components(6, arcs);
    EXPECT_TRUE(component[0] == component[1] && component[1] == component[2]);
    EXPECT_EQ(component[3], component[4]);
    EXPECT_NE(component[2], component[3]);
    EXPECT_NE(component[5], component[4]);
}

TEST(FeedbackArcs, LeaveNoCycleAndAreAtMostHalfOfTheArcs) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const LayoutInput input = random_graph(4 + seed, 8 + 3 * seed, seed, 0.4);
        const auto arcs = arcs_of(input);
        const auto is_feedback = feedback_arcs(input.nodes.size(), arcs);
        std::vector<Arc> others;
        for (std::size_t a = 0; a < arcs.size(); ++a)
            if (!is_feedback[a])
                others.push_back(arcs[a]);
        EXPECT_FALSE(has_cycle(input.nodes.size(), others)) << seed;
        EXPECT_GE(2 * others.size(), arcs.size()) << seed;
    }
}

TEST(FeedbackArcs, AreNoneWithoutACycleAndOneOfARing) {
    const std::vector<Arc> chain{{2, 1}, {1, 0}, {2, 0}};
    EXPECT_EQ(std::ranges::count(feedback_arcs(3, chain), true), 0);
    const std::vector<Arc> ring{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {3, 5}};
    EXPECT_EQ(std::ranges::count(feedback_arcs(6, ring), true), 1);
}

/// The least sum of weighted lengths, by trying all assignments.
std::ptrdiff_t shortest_sum(std::size_t vertices, const std::vector<LayerArc>& arcs) {
    std::ptrdiff_t best = std::numeric_limits<std::ptrdiff_t>::max();
    std::size_t combinations = 1;
    for (std::size_t v = 0; v < vertices; ++v)
        combinations *= vertices;
    std::vector<std::ptrdiff_t> layer(vertices);
    for (std::size_t combination = 0; combination < combinations; ++combination) {
        std::size_t rest = combination;
        for (std::ptrdiff_t& chosen : layer) {
            chosen = static_cast<std::ptrdiff_t>(rest % vertices);
            rest /= vertices;
        }
        std::ptrdiff_t sum = 0;
        bool is_valid = true;
        for (const auto& [arc, length, weight] : arcs) {
            const std::ptrdiff_t span = layer[arc.to] - layer[arc.from];
            is_valid = is_valid && span >= length;
            sum += weight * span;
        }
        if (is_valid)
            best = std::min(best, sum);
    }
    return best;
}

TEST(LayerAssignment, IsAsShortAsTheBestOfAllAssignments) {
    for (unsigned seed = 0; seed < 25; ++seed) {
        const LayoutInput input = random_graph(6, 5 + seed % 7, seed);
        std::vector<LayerArc> arcs;
        for (const Arc& arc : arcs_of(input))
            arcs.push_back({.arc = arc,
                            .length = arcs.size() % 4 == 3 ? 0 : 1,
                            .weight = 1 + static_cast<std::ptrdiff_t>(arcs.size() % 3)});
        const auto layers = assign_layers(6, arcs);
        std::ptrdiff_t sum = 0;
        for (const auto& [arc, length, weight] : arcs) {
            const auto span =
                static_cast<std::ptrdiff_t>(layers[arc.to]) - static_cast<std::ptrdiff_t>(layers[arc.from]);
            EXPECT_GE(span, length) << seed;
            sum += weight * span;
        }
        EXPECT_EQ(sum, shortest_sum(6, arcs)) << seed;
    }
}

/// Layers by longest paths, in the order of a walk.
LayeredGraph layered(const LayoutInput& input) {
    std::vector<LayerArc> arcs;
    std::vector<LayeredEdge> edges;
    for (const Arc& arc : arcs_of(input)) {
        arcs.push_back({.arc = arc});
        edges.push_back({.edge = edges.size(), .arc = arc});
    }
    return layered_graph(std::vector<VertexExtent>(input.nodes.size()),
                         assign_layers(input.nodes.size(), arcs), edges);
}

std::size_t crossings_by_pairs(const LayeredGraph& graph) {
    std::size_t crossings = 0;
    for (std::size_t a = 0; a < graph.arcs.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const auto [from, to] = graph.arcs[a];
            const auto [other_from, other_to] = graph.arcs[b];
            if (graph.layer_of[from] == graph.layer_of[other_from] && from != other_from && to != other_to)
                crossings +=
                    (graph.place[from] < graph.place[other_from]) != (graph.place[to] < graph.place[other_to])
                        ? 1
                        : 0;
        }
    return crossings;
}

TEST(Crossings, AreCountedAsByComparingAllPairs) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        LayeredGraph graph = layered(random_graph(30, 60, seed));
        EXPECT_EQ(count_crossings(graph), crossings_by_pairs(graph)) << seed;
        reduce_crossings(graph);
        EXPECT_EQ(count_crossings(graph), crossings_by_pairs(graph)) << seed;
    }
}

TEST(Crossings, AreReducedAndEveryLayerKeepsItsVertices) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        LayeredGraph graph = layered(random_graph(40, 70, seed));
        const std::size_t before = count_crossings(graph);
        auto layers = graph.layers;
        reduce_crossings(graph);
        EXPECT_LT(2 * count_crossings(graph), before) << seed;
        for (std::size_t layer = 0; layer < layers.size(); ++layer)
            EXPECT_THAT(graph.layers[layer], ::testing::UnorderedElementsAreArray(layers[layer]));
    }
}

/// The least number of crossings of two layers: every order of both.
std::size_t least_crossings(LayeredGraph graph) {
    std::size_t best = std::numeric_limits<std::size_t>::max();
    auto& upper = graph.layers[1];
    auto& lower = graph.layers[2];
    std::ranges::sort(upper);
    do {
        graph.number_places(1);
        std::ranges::sort(lower);
        do {
            graph.number_places(2);
            best = std::min(best, count_crossings(graph));
        } while (std::ranges::next_permutation(lower).found);
    } while (std::ranges::next_permutation(upper).found);
    return best;
}

TEST(Crossings, OfTwoSmallLayersAreTheLeastInMostGraphs) {
    int least = 0;
    constexpr int graphs = 30;
    for (unsigned seed = 0; seed < graphs; ++seed) {
        std::mt19937 random(seed);
        LayoutInput input = input_of(10, {});
        for (std::size_t n = 0; n < 5; ++n) // every node has an edge, so that there are two layers
            for (const std::size_t other : {random() % 5, n, random() % 5})
                input.edges.push_back({.from = n, .to = 5 + other});
        LayeredGraph graph = layered(input);
        const std::size_t best = least_crossings(graph);
        reduce_crossings(graph);
        EXPECT_LE(count_crossings(graph), best + 2) << seed;
        least += count_crossings(graph) == best ? 1 : 0;
    }
    EXPECT_GE(least, graphs * 8 / 10);
}

} // namespace
} // namespace sparsight
