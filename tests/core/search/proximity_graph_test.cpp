#include "random_rows.h"
#include "search/proximity_graph.h"
#include "search/reachability.h"
#include "search/squared_distance.h"

#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::random_rows;
using ::testing::SizeIs;

std::set<std::uint32_t> reachable(const ProximityGraph& graph) {
    std::set<std::uint32_t> reached{graph.entry};
    std::vector<std::uint32_t> waiting{graph.entry};
    while (!waiting.empty()) {
        const std::uint32_t node = waiting.back();
        waiting.pop_back();
        for (const std::uint32_t next : graph.layers.front().of(node))
            if (reached.insert(next).second)
                waiting.push_back(next);
    }
    return reached;
}

LinkLists lists(const std::vector<std::vector<std::uint32_t>>& links) {
    LinkLists result;
    result.starts.push_back(0);
    for (const auto& of_node : links) {
        result.links.insert(result.links.end(), of_node.begin(), of_node.end());
        result.starts.push_back(static_cast<std::uint32_t>(result.links.size()));
    }
    return result;
}

TEST(ProximityGraph, IsNothingForNothingAndOneNodeForOneRow) {
    EXPECT_EQ(build_proximity_graph({}, 8).value(), ProximityGraph{});
    const ProximityGraph one = build_proximity_graph(random_rows(1, 8, 1), 8).value();
    EXPECT_EQ(one.node_count, 1U);
    EXPECT_THAT(one.layers.front().links, IsEmpty());
}

TEST(ProximityGraph, ReachesEveryNodeAlsoWhereAllAreTheSame) {
    const std::vector<float> different = random_rows(3000, 8, 1);
    const std::vector<float> same(500 * 8, 1.5F);
    for (const auto& rows : {different, same}) {
        const ProximityGraph graph = build_proximity_graph(rows, 8).value();
        EXPECT_THAT(reachable(graph), SizeIs(rows.size() / 8));
    }
}

TEST(ProximityGraph, IsTheSameForASeedAndAnotherForAnother) {
    const std::vector<float> rows = random_rows(1000, 16, 2);
    const ProximityGraph first = build_proximity_graph(rows, 16, {.seed = 5}).value();
    EXPECT_EQ(build_proximity_graph(rows, 16, {.seed = 5}).value(), first);
    EXPECT_NE(build_proximity_graph(rows, 16, {.seed = 6}).value(), first);
}

TEST(ProximityGraph, LinksNearRowsWithinTheGivenNumbers) {
    const ProximityGraph graph = build_proximity_graph(random_rows(2000, 4, 3), 4, {.links = 8}).value();
    ASSERT_GT(graph.layers.size(), 2U);
    std::size_t most = 0;
    for (std::uint32_t node = 0; node < graph.node_count; ++node) {
        most = std::max(most, graph.layers[1].of(node).size());
        for (const std::uint32_t link : graph.layers[0].of(node))
            EXPECT_NE(link, node);
    }
    EXPECT_GT(most, 2U);
    EXPECT_LE(most, 8U);
    EXPECT_LT(graph.layers[1].links.size(), graph.layers[0].links.size() / 4);
}

TEST(ProximityGraph, StopsAndSaysHowFarItIs) {
    std::stop_source source;
    std::uint64_t last = 0;
    const auto graph = build_proximity_graph(random_rows(3000, 4, 3), 4, {}, source.get_token(),
                                             [&](const Progress& progress) {
                                                 last = progress.done;
                                                 EXPECT_EQ(progress.total, 3000U);
                                                 if (progress.done >= 1000)
                                                     source.request_stop();
                                             });
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().fault, Fault::Cancelled);
    EXPECT_GE(last, 1000U);
    EXPECT_LT(last, 2000U);
}

TEST(Reachability, LinksALostNodeFromOneThatItLinksTo) {
    // 0 <-> 1, and 2 -> 1 with nothing that leads to 2
    ProximityGraph graph{3, 0, {lists({{1}, {0}, {1}})}};
    make_reachable(graph);
    EXPECT_THAT(graph.layers[0].of(0), ElementsAre(1));
    EXPECT_THAT(graph.layers[0].of(1), ElementsAre(0, 2));
    EXPECT_THAT(graph.layers[0].of(2), ElementsAre(1));
}

TEST(Reachability, LinksAnIslandFromTheEntryOnce) {
    // 0 -> 1, and 2 <-> 3 apart
    ProximityGraph graph{4, 0, {lists({{1}, {0}, {3}, {2}})}};
    make_reachable(graph);
    EXPECT_THAT(graph.layers[0].of(0), ElementsAre(1, 2));
    EXPECT_THAT(graph.layers[0].of(2), ElementsAre(3));
    EXPECT_THAT(reachable(graph), SizeIs(4));
}

TEST(Reachability, WaitsForTheNodeThatALostOneLinksTo) {
    // 1 links to 2 only, which is itself lost and links to 0
    ProximityGraph graph{3, 0, {lists({{}, {2}, {0}})}};
    make_reachable(graph);
    EXPECT_THAT(graph.layers[0].of(0), ElementsAre(2));
    EXPECT_THAT(graph.layers[0].of(2), ElementsAre(0, 1));
}

TEST(SquaredDistance, IsTheSameSumForEveryVectorSetAndLength) {
    for (const std::size_t width : {1, 7, 8, 31, 32, 33, 128, 130}) {
        const std::vector<float> rows = random_rows(2, width, width);
        double expected = 0;
        for (std::size_t at = 0; at < width; ++at)
            expected += std::pow(static_cast<double>(rows[at]) - static_cast<double>(rows[width + at]), 2);
        for (const VectorSet set : supported_vector_sets())
            EXPECT_NEAR(squared_distance_kernel(set)(rows.data(), rows.data() + width, width), expected,
                        1e-5 * expected)
                << name_of(set) << ", " << width;
    }
}

} // namespace
} // namespace sparsight
