#include "random_rows.h"
#include "search/exhaustive.h"
#include "search/graph_walk.h"
#include "search/squared_distance.h"

#include <gmock/gmock.h>
#include <limits>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using testing::random_rows;
using ::testing::SizeIs;

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
            squared_distance_kernel(VectorSet::Portable)(rows.data() + at, point.data(), width));
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

} // namespace
} // namespace sparsight
