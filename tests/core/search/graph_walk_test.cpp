// Walks on a proximity graph, and the plane on which they are drawn.
#include "random_rows.h"
#include "search/graph_walk.h"
#include "search/plane_projection.h"
#include "search/predictor_head.h"
#include "search/proximity_graph.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <set>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Field;
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
        for (const VectorInstructions set : supported_vector_instructions())
            EXPECT_NEAR(squared_distance_kernel(set)(rows.data(), rows.data() + width, width), expected,
                        1e-5 * expected)
                << name_of(set) << ", " << width;
    }
}

constexpr std::size_t width = 8;

/// Scores from a list; counts its calls and refuses to score a node twice.
class ListScorer {
public:
    explicit ListScorer(std::vector<float> scores)
        : scores_(std::move(scores)) {}

    NodeScorer scorer() {
        return [this](std::span<const std::uint32_t> nodes, std::span<float> scores) {
            ASSERT_EQ(nodes.size(), scores.size());
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                EXPECT_TRUE(seen_.insert(nodes[i]).second) << "scored twice: " << nodes[i];
                scores[i] = scores_[nodes[i]];
            }
        };
    }
    const std::vector<float>& scores() const { return scores_; }
    const std::set<std::uint32_t>& seen() const { return seen_; }

private:
    std::vector<float> scores_;
    std::set<std::uint32_t> seen_;
};

std::vector<float> distances_to(const std::vector<float>& rows, const std::vector<float>& point) {
    std::vector<float> distances;
    for (std::size_t at = 0; at < rows.size(); at += width)
        distances.push_back(
            squared_distance_kernel(VectorInstructions::Portable)(rows.data() + at, point.data(), width));
    return distances;
}

/// 0 - 1 - 2 - 3 - 4 in the bottom layer; 0 and 3 in the one above, where the entry is 0.
ProximityGraph chain() {
    return {5, 0, {{{0, 1, 3, 5, 7, 8}, {1, 0, 2, 1, 3, 2, 4, 3}}, {{0, 1, 1, 1, 2, 2}, {3, 0}}}};
}

TEST(GraphWalk, GoesDownTheLayersAndOnToTheBestNode) {
    ListScorer list({9, 8, 7, 2, 1});
    const Walk walk = walk_graph(chain(), list.scorer(), {.k = 1, .width = 1, .traced = true});
    EXPECT_THAT(walk.best, ElementsAre(Ranked{4, 1}));
    EXPECT_THAT(walk.visits,
                ElementsAre(Visit{0, 0, 1, 9}, Visit{3, 0, 1, 2}, Visit{3, 0, 0, 2}, Visit{4, 3, 0, 1}));
    EXPECT_EQ(walk.scored, 4) << "all but 1, which nothing on the way links to";
    EXPECT_THAT(walk.seen,
                ElementsAre(Visit{0, 0, 1, 9}, Visit{3, 0, 1, 2}, Visit{2, 3, 0, 7}, Visit{4, 3, 0, 1}));
}

TEST(GraphWalk, KeepsItsWayOnlyWhenAsked) {
    ListScorer asked({9, 8, 7, 2, 1});
    ListScorer unasked({9, 8, 7, 2, 1});
    const Walk walk = walk_graph(chain(), unasked.scorer(), {.k = 1, .width = 1});
    EXPECT_THAT(walk.visits, IsEmpty());
    EXPECT_THAT(walk.seen, IsEmpty());
    EXPECT_EQ(walk.best, walk_graph(chain(), asked.scorer(), {.k = 1, .width = 1, .traced = true}).best);
}

TEST(GraphWalk, EntersTheBottomLayerByAllThatWasScoredAbove) {
    ListScorer list({4, 1, 9, 3, 9});
    const Walk walk = walk_graph(chain(), list.scorer(), {.k = 1, .width = 2});
    EXPECT_THAT(walk.best, ElementsAre(Ranked{1, 1})) << "next to 0, which the walk had left for 3";
}

TEST(GraphWalk, EndsWhereNothingInViewLeadsOn) {
    ListScorer list({0, 5, 1, 6, 7});
    const Walk walk = walk_graph(chain(), list.scorer(), {.k = 1, .width = 1});
    EXPECT_THAT(walk.best, ElementsAre(Ranked{0, 0}));
    EXPECT_EQ(list.seen().count(2), 0U) << "behind 1, which is worse than 0";
    ListScorer again(list.scores());
    EXPECT_THAT(walk_graph(chain(), again.scorer(), {.k = 2, .width = 3}).best,
                ElementsAre(Ranked{0, 0}, Ranked{2, 1}));
}

TEST(GraphWalk, IsExactWhereItMayLookAtEveryNode) {
    const std::vector<float> rows = random_rows(700, width, 1);
    const ProximityGraph graph = build_proximity_graph(rows, width, {.links = 4}).value();
    // Scores that have nothing to do with where the nodes are.
    ListScorer list(random_rows(700, 1, 2));
    const Walk walk = walk_graph(graph, list.scorer(), {.k = 50, .width = 700});
    EXPECT_EQ(walk.best, best_of(list.scores(), 50));
    EXPECT_EQ(walk.scored, 700);
}

TEST(GraphWalk, FindsNearlyAllNearestNeighboursWithAFractionOfTheScores) {
    const std::vector<float> rows = random_rows(4000, width, 1);
    const ProximityGraph graph = build_proximity_graph(rows, width).value();
    double found = 0;
    constexpr int queries = 20;
    for (int query = 0; query < queries; ++query) {
        ListScorer list(distances_to(rows, random_rows(1, width, 100 + static_cast<std::uint64_t>(query))));
        const Walk walk = walk_graph(graph, list.scorer());
        found += recall(walk.best, best_of(list.scores(), 20));
        EXPECT_LT(walk.scored, 2500);
        EXPECT_EQ(walk.scored, static_cast<std::int64_t>(list.seen().size()));
    }
    EXPECT_GT(found / queries, 0.99);
}

TEST(GraphWalk, RecordsAConnectedWalkThroughLinksOfTheGraph) {
    const std::vector<float> rows = random_rows(2000, width, 1);
    const ProximityGraph graph = build_proximity_graph(rows, width, {.links = 6}).value();
    ListScorer list(distances_to(rows, random_rows(1, width, 9)));
    const Walk walk = walk_graph(graph, list.scorer(), {.k = 5, .width = 20, .traced = true});
    ASSERT_FALSE(walk.visits.empty());
    EXPECT_EQ(walk.visits.front().node, graph.entry);
    EXPECT_EQ(walk.visits.front().from, graph.entry);
    int layer = walk.visits.front().layer;
    EXPECT_EQ(layer, static_cast<int>(graph.layers.size()) - 1);
    for (const Visit& visit : walk.visits) {
        EXPECT_EQ(visit.score, list.scores()[visit.node]);
        EXPECT_LE(visit.layer, layer);
        layer = visit.layer;
        bool is_linked = visit.node == visit.from;
        for (const LinkLists& lists : graph.layers)
            is_linked = is_linked || std::ranges::count(lists.of(visit.from), visit.node) > 0;
        EXPECT_TRUE(is_linked) << visit.from << " -> " << visit.node;
    }
    EXPECT_EQ(static_cast<std::int64_t>(walk.seen.size()), walk.scored);
    std::set<std::uint32_t> seen;
    for (const Visit& visit : walk.seen) {
        EXPECT_TRUE(visit.node == visit.from || seen.contains(visit.from)) << "found from what was seen";
        seen.insert(visit.node);
    }
}

TEST(GraphWalk, GivesWhatThereIsWhereMoreIsAskedFor) {
    ListScorer list({3, 1, 2, 5, 4});
    EXPECT_THAT(walk_graph(chain(), list.scorer(), {.k = 20, .width = 1}).best,
                ElementsAre(Ranked{1, 1}, Ranked{2, 2}, Ranked{0, 3}, Ranked{4, 4}, Ranked{3, 5}));
    ListScorer nothing({});
    EXPECT_THAT(walk_graph({}, nothing.scorer()).best, IsEmpty());
    ListScorer unasked({3, 1, 2, 5, 4});
    EXPECT_THAT(walk_graph(chain(), unasked.scorer(), {.k = 0, .width = 0}).best, IsEmpty());
}

TEST(GraphWalk, OrdersEqualScoresByTheirNumberAndPutsWhatIsNoNumberLast) {
    ListScorer equal({1, 1, 1, 1, 1});
    EXPECT_THAT(walk_graph(chain(), equal.scorer(), {.k = 3, .width = 5}).best,
                ElementsAre(Ranked{0, 1}, Ranked{1, 1}, Ranked{2, 1}));
    const float no_number = std::numeric_limits<float>::quiet_NaN();
    ListScorer list({no_number, no_number, 4, no_number, 5});
    const Walk walk = walk_graph(chain(), list.scorer(), {.k = 3, .width = 5});
    ASSERT_THAT(walk.best, SizeIs(3));
    EXPECT_THAT(walk.best[0], (Ranked{2, 4}));
    EXPECT_THAT(walk.best[1], (Ranked{4, 5}));
}

TEST(WalkWorth, AWalkIsNotSoonerWhereTheGraphMustBeBuiltForAFewMatrices) {
    EXPECT_FALSE(is_graph_search_faster({.configurations = 10'000, .width = 200, .queries = 1}));
    EXPECT_FALSE(is_graph_search_faster({.configurations = 100'000, .width = 200, .queries = 100}));
    EXPECT_TRUE(is_graph_search_faster({.configurations = 100'000, .width = 200, .queries = 1000}));
}

TEST(WalkWorth, AWalkThroughAGraphThatIsThereIsSoonerBeyondEightTimesItsWidth) {
    EXPECT_TRUE(is_graph_search_faster({.configurations = 10'000, .width = 200, .has_graph = true}));
    EXPECT_FALSE(is_graph_search_faster({.configurations = 1000, .width = 200, .has_graph = true}));
    EXPECT_FALSE(is_graph_search_faster({.configurations = 20'000, .width = 3000, .has_graph = true}))
        << "the shortlist of a model that is blended with the simulator";
}

/// Points in five dimensions that lie on a plane: 3 a along one direction, b along another.
std::vector<float> points_of_a_plane(std::size_t count) {
    const std::vector<float> coordinates = random_rows(count, 2, 3);
    const std::array<double, 5> u{0.6, 0, 0.8, 0, 0};
    const std::array<double, 5> v{0, -1, 0, 0, 0};
    std::vector<float> rows;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < u.size(); ++j)
            rows.push_back(
                static_cast<float>(7 + 3 * coordinates[2 * i] * u[j] + coordinates[2 * i + 1] * v[j]));
    return rows;
}

TEST(PlaneProjection, RecoversAPlaneThatIsKnown) {
    const std::vector<float> rows = points_of_a_plane(500);
    const PlaneProjection plane = PlaneProjection::of(rows, 5);
    EXPECT_NEAR(plane.explained()[0] + plane.explained()[1], 1, 1e-6) << "nothing varies beside the plane";
    EXPECT_GT(plane.explained()[0], 0.8);
    const std::vector<PlanePoint> points = plane.project(rows);
    ASSERT_THAT(points, SizeIs(500));
    // On a plane nothing is lost: distances are what they were.
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        double square = 0;
        for (std::size_t j = 0; j < 5; ++j) {
            const double difference =
                static_cast<double>(rows[5 * i + j]) - static_cast<double>(rows[5 * i + 5 + j]);
            square += difference * difference;
        }
        ASSERT_NEAR(std::hypot(points[i].x - points[i + 1].x, points[i].y - points[i + 1].y),
                    std::sqrt(square), 1e-4);
    }
}

TEST(PlaneProjection, ItsAxesPointTheSameWayWhateverTheOrderOfTheRows) {
    const std::vector<float> rows = points_of_a_plane(50);
    std::vector<float> reversed;
    for (std::size_t i = 50; i-- > 0;)
        reversed.insert(reversed.end(), rows.begin() + static_cast<std::ptrdiff_t>(5 * i),
                        rows.begin() + static_cast<std::ptrdiff_t>(5 * i + 5));
    const std::vector<PlanePoint> there = PlaneProjection::of(rows, 5).project(rows);
    const std::vector<PlanePoint> back = PlaneProjection::of(reversed, 5).project(rows);
    for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_NEAR(there[i].x, back[i].x, 1e-6);
        EXPECT_NEAR(there[i].y, back[i].y, 1e-6);
    }
    // Along the first direction the largest share, 0.8, is positive; along the second −1 is turned around.
    const std::vector<float> ahead{7 + 0.6F, 7, 7 + 0.8F, 7, 7, 7, 8, 7, 7, 7};
    const std::vector<PlanePoint> points = PlaneProjection::of(rows, 5).project(ahead);
    EXPECT_GT(points[0].x, PlaneProjection::of(rows, 5).project(std::vector<float>(5, 7))[0].x);
    EXPECT_GT(points[1].y, PlaneProjection::of(rows, 5).project(std::vector<float>(5, 7))[0].y);
}

TEST(PlaneProjection, OfNothingOrOfOneDimension) {
    EXPECT_THAT(PlaneProjection::of({}, 4).project({}), IsEmpty());
    EXPECT_EQ(PlaneProjection::of({}, 4).project(std::vector<float>(8, 1)), std::vector<PlanePoint>(2))
        << "a point a row, also where nothing says which way is which";
    const std::vector<float> equal(12, 2);
    EXPECT_THAT(PlaneProjection::of(equal, 4).explained(), ElementsAre(0, 0));
    EXPECT_EQ(PlaneProjection::of(equal, 4).project(equal), std::vector<PlanePoint>(3));
    const std::vector<float> line{1, 2, 4};
    EXPECT_THAT(PlaneProjection::of(line, 1).explained(), ElementsAre(DoubleNear(1, 1e-12), 0));
    EXPECT_EQ(PlaneProjection::of(line, 1).project(line)[0].y, 0);
}

} // namespace
} // namespace sparsight
