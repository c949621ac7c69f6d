#include "random_graphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

/// Pairs of nodes that are nearer to each other than the spacing says.
std::size_t near_pairs(const LayeredLayout& layout, double distance) {
    std::size_t count = 0;
    for (std::size_t a = 0; a < layout.nodes.size(); ++a)
        for (std::size_t b = a + 1; b < layout.nodes.size(); ++b)
            count += layout.nodes[a]
                             .adjusted(-distance, 0, distance, 0)
                             .intersects(layout.nodes[b].adjusted(0.01, 0.01, -0.01, -0.01))
                         ? 1
                         : 0;
    return count;
}

/// Nodes that a route runs through. Slanted parts stay within their boxes, as do the curves that replace
/// them.
std::size_t nodes_in_the_way(const LayeredLayout& layout, const LayoutRoute& route) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < route.points.size(); ++i) {
        const QPointF& a = route.points[i];
        const QPointF& b = route.points[i + 1];
        const QRectF box = QRectF(QPointF(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
                                  QPointF(std::max(a.x(), b.x()), std::max(a.y(), b.y())))
                               .adjusted(-0.5, 0.1, 0.5, -0.1);
        for (const QRectF& node : layout.nodes)
            count += node.intersects(box) ? 1 : 0;
    }
    return count;
}

bool is_at_border(const QPointF& point, const QRectF& node, double y) {
    return std::abs(point.y() - y) < 1e-6 && point.x() > node.left() && point.x() < node.right();
}

/// What holds for every drawing.
void expect_sound(const LayoutInput& input, const LayeredLayout& layout, const std::string& name) {
    SCOPED_TRACE(name);
    const LayoutSpacing spacing;
    ASSERT_EQ(layout.nodes.size(), input.nodes.size());
    ASSERT_EQ(layout.routes.size(), input.edges.size());
    EXPECT_EQ(near_pairs(layout, spacing.nodes - 0.1), 0);
    const QRectF whole(QPointF(0, 0), layout.size);
    for (std::size_t n = 0; n < input.nodes.size(); ++n) {
        EXPECT_EQ(layout.nodes[n].size(), input.nodes[n]);
        EXPECT_TRUE(whole.adjusted(-0.1, -0.1, 0.1, 0.1).contains(layout.nodes[n])) << n;
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const auto [from, to, back, room] = input.edges[e];
        const LayoutRoute& route = layout.routes[e];
        ASSERT_GE(route.points.size(), 2);
        EXPECT_TRUE(is_at_border(route.points.front(), layout.nodes[from], layout.nodes[from].bottom())) << e;
        EXPECT_TRUE(is_at_border(route.points.back(), layout.nodes[to], layout.nodes[to].top())) << e;
        EXPECT_EQ(route.upwards, layout.layers[from] >= layout.layers[to]) << e;
        EXPECT_EQ(nodes_in_the_way(layout, route), 0) << e;
        for (std::size_t i = 0; !route.upwards && i + 1 < route.points.size(); ++i)
            EXPECT_LE(route.points[i].y(), route.points[i + 1].y()) << e;
    }
}

std::vector<std::size_t> edges_upwards(const LayeredLayout& layout) {
    std::vector<std::size_t> found;
    for (std::size_t e = 0; e < layout.routes.size(); ++e)
        if (layout.routes[e].upwards)
            found.push_back(e);
    return found;
}

TEST(LayeredLayout, DrawsNothingOfNothingAndASingleNodeAtTheOrigin) {
    EXPECT_TRUE(lay_out_in_layers({}).nodes.empty());
    const LayeredLayout one = lay_out_in_layers(input_of(1, {}));
    EXPECT_EQ(one.nodes.front(), QRectF(0, 0, 100, 40));
    EXPECT_EQ(one.size, QSizeF(100, 40));
}

TEST(LayeredLayout, PutsAChainBelowEachOtherWithStraightEdges) {
    const auto input = input_of(4, {{0, 1}, {1, 2}, {2, 3}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "chain");
    for (std::size_t n = 1; n < 4; ++n)
        EXPECT_EQ(layout.nodes[n].center().x(), layout.nodes[0].center().x());
    for (const LayoutRoute& route : layout.routes)
        EXPECT_EQ(route.points.size(), 2);
}

TEST(LayeredLayout, PutsAParentInTheMiddleOfItsChildren) {
    const LayeredLayout layout = lay_out_in_layers(input_of(4, {{0, 1}, {0, 2}, {0, 3}}));
    EXPECT_EQ(layout.nodes[0].center().x(), layout.nodes[2].center().x());
    EXPECT_EQ(layout.nodes[1].top(), layout.nodes[3].top());
    EXPECT_LT(layout.nodes[1].center().x(), layout.nodes[2].center().x()) << "children keep their order";
}

TEST(LayeredLayout, EdgesAreShortInSum) {
    // 4 is needed late: a longest path alone would leave it in the uppermost layer, three layers above 3.
    const LayeredLayout layout = lay_out_in_layers(input_of(5, {{0, 1}, {1, 2}, {2, 3}, {4, 3}}));
    EXPECT_EQ(layout.layers, (std::vector<std::size_t>{0, 1, 2, 3, 2}));
}

TEST(LayeredLayout, FindsDrawingsWithoutCrossings) {
    const std::vector<std::pair<std::string, LayoutInput>> planar{
        {"diamond", input_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})},
        {"swapped pairs", input_of(4, {{0, 3}, {1, 2}})},
        {"long edge beside a chain", input_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}})},
        {"binary tree", input_of(7, {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {1, 5}, {2, 6}})},
        {"tree of sums", input_of(7, {{0, 4}, {2, 4}, {1, 5}, {3, 5}, {4, 6}, {5, 6}})},
        {"two fans crossed", input_of(8, {{0, 5}, {0, 7}, {1, 4}, {1, 6}, {2, 5}, {3, 6}})}};
    for (const auto& [name, input] : planar) {
        const LayeredLayout layout = lay_out_in_layers(input);
        expect_sound(input, layout, name);
        EXPECT_EQ(layout.crossings, 0) << name;
    }
}

TEST(LayeredLayout, CrossesNoMoreThanItMust) {
    // Two layers of 3 nodes with all edges have 9 crossings, of 2 nodes one: any order is as good as another.
    std::vector<LayoutEdge> all;
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 3; b < 6; ++b)
            all.push_back({a, b});
    EXPECT_EQ(lay_out_in_layers(input_of(6, all)).crossings, 9);
    EXPECT_EQ(lay_out_in_layers(input_of(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}})).crossings, 1);
}

TEST(LayeredLayout, DrawsBackEdgesAroundTheNodesFromBottomToTop) {
    const auto input = input_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0, true}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "loop");
    EXPECT_EQ(layout.layers, (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_THAT(edges_upwards(layout), ::testing::ElementsAre(3));
    const auto& points = layout.routes[3].points;
    EXPECT_GT(points[1].y(), layout.nodes[3].bottom()) << "leaves downwards";
    EXPECT_LT(points[points.size() - 2].y(), layout.nodes[0].top()) << "enters from above";
    const LayoutSpacing spacing;
    EXPECT_LE(layout.nodes[0].top(), spacing.turns) << "no more room than the turn needs";
    EXPECT_LE(layout.size.height(), layout.nodes[3].bottom() + spacing.turns);
}

TEST(LayeredLayout, BackEdgesStayNearTheirNodes) {
    // The chain 3, 4, 5 stands at the border, beside a wide layer above it.
    const auto input = input_of(8, {{0, 1}, {0, 2}, {0, 3}, {0, 6}, {0, 7}, {1, 4}, {4, 5}, {5, 4, true}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "near");
    const LayoutSpacing spacing;
    for (const QPointF& point : layout.routes[7].points) {
        EXPECT_GT(point.x(), layout.nodes[4].left() - spacing.nodes);
        EXPECT_LT(point.x(), layout.nodes[4].right() + spacing.nodes);
    }
}

TEST(LayeredLayout, BackEdgesKeepTheirEndsInTheOrderOfTheProgram) {
    // Nothing else says that 1 is above 2.
    const LayeredLayout layout = lay_out_in_layers(input_of(3, {{0, 1}, {0, 2}, {2, 1, true}}));
    EXPECT_GE(layout.layers[2], layout.layers[1]);
    EXPECT_THAT(edges_upwards(layout), ::testing::ElementsAre(2));
}

TEST(LayeredLayout, TurnsFewEdgesRoundWhereCyclesRemain) {
    const auto ring = input_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
    const LayeredLayout layout = lay_out_in_layers(ring);
    expect_sound(ring, layout, "ring");
    EXPECT_EQ(edges_upwards(layout).size(), 1);
    const auto contrary = input_of(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}});
    expect_sound(contrary, lay_out_in_layers(contrary), "contrary");
    EXPECT_EQ(edges_upwards(lay_out_in_layers(contrary)).size(), 2);
}

TEST(LayeredLayout, BackEdgesThatContradictEachOtherAreDrawnAllTheSame) {
    const auto input = input_of(3, {{0, 1, true}, {1, 0, true}, {1, 2}, {0, 2, true}});
    expect_sound(input, lay_out_in_layers(input), "contradiction");
}

TEST(LayeredLayout, DrawsLoopsBesideTheirNodeAndKeepsRoomForThem) {
    const auto input = input_of(4, {{0, 1}, {0, 2}, {0, 3}, {2, 2, true}, {2, 2}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "loops");
    for (const std::size_t loop : {3, 4}) {
        double right = 0;
        for (const QPointF& point : layout.routes[loop].points)
            right = std::max(right, point.x());
        EXPECT_GT(right, layout.nodes[2].right());
        EXPECT_LT(right, layout.nodes[3].left());
    }
}

TEST(LayeredLayout, LoopsKeepRoomForTheirLabels) {
    const auto input = input_of(3, {{0, 1}, {0, 2}, {.from = 1, .to = 1, .back = true, .label_room = 70}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "labels");
    double right = 0;
    for (const QPointF& point : layout.routes[2].points)
        right = std::max(right, point.x());
    EXPECT_GE(layout.nodes[2].left(), right + 70);
}

TEST(LayeredLayout, ParallelEdgesAreApart) {
    const auto input = input_of(3, {{0, 1}, {0, 1}, {0, 1}, {1, 2}, {0, 2}, {0, 2}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "parallel");
    EXPECT_EQ(layout.crossings, 0);
    for (const std::size_t first : {0, 1, 4}) {
        const auto& one = layout.routes[first].points;
        const auto& other = layout.routes[first + 1].points;
        EXPECT_GE(std::abs(one.front().x() - other.front().x()), 5);
        EXPECT_EQ(one.front().x() < other.front().x(), one.back().x() < other.back().x())
            << "they do not cross";
    }
}

TEST(LayeredLayout, PutsUnconnectedPartsSideBySide) {
    const auto input = input_of(7, {{0, 1}, {1, 2}, {3, 4}, {4, 5}});
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "parts");
    EXPECT_EQ(layout.parts, (std::vector<std::size_t>{0, 0, 0, 1, 1, 1, 2}));
    EXPECT_EQ(layout.nodes[0].top(), layout.nodes[3].top());
    EXPECT_GT(layout.nodes[3].left(), layout.nodes[0].right());
}

TEST(LayeredLayout, ManySinglesFillARectangleRatherThanALine) {
    const LayeredLayout layout = lay_out_in_layers(input_of(60, {}));
    EXPECT_EQ(near_pairs(layout, 20), 0);
    EXPECT_LT(layout.size.width(), 4 * layout.size.height());
    EXPECT_LT(layout.size.height(), 4 * layout.size.width());
}

TEST(LayeredLayout, IsTheSameEachTime) {
    const LayoutInput input = random_graph(120, 200, 3, 0.1);
    const LayeredLayout one = lay_out_in_layers(input);
    const LayeredLayout other = lay_out_in_layers(input);
    EXPECT_EQ(one.nodes, other.nodes);
    for (std::size_t e = 0; e < input.edges.size(); ++e)
        EXPECT_EQ(one.routes[e].points, other.routes[e].points);
}

class RandomGraphs : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomGraphs, AreDrawnSoundlyWithTightLayers) {
    const unsigned seed = GetParam();
    const LayoutInput input = random_graph(5 + seed * 7 % 90, 4 + seed * 13 % 160, seed);
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "seed " + std::to_string(seed));
    EXPECT_THAT(edges_upwards(layout), ::testing::IsEmpty()) << "no edge closes a cycle";
    // Every connected node has an edge to a neighbouring layer.
    std::vector<bool> is_tight(input.nodes.size(), false);
    std::vector<bool> has_edge(input.nodes.size(), false);
    for (const auto& [from, to, back, room] : input.edges) {
        has_edge[from] = has_edge[to] = true;
        if (layout.layers[to] == layout.layers[from] + 1)
            is_tight[from] = is_tight[to] = true;
    }
    EXPECT_EQ(is_tight, has_edge);
}

TEST_P(RandomGraphs, WithEdgesBackAreDrawnSoundly) {
    const unsigned seed = GetParam();
    const LayoutInput input = random_graph(5 + seed * 11 % 70, 6 + seed * 17 % 140, seed, 0.2);
    const LayeredLayout layout = lay_out_in_layers(input);
    expect_sound(input, layout, "seed " + std::to_string(seed));
    for (const std::size_t edge : edges_upwards(layout))
        EXPECT_TRUE(input.edges[edge].back) << edge;
}

TEST_P(RandomGraphs, WithArbitraryCyclesAreDrawnSoundly) {
    const unsigned seed = GetParam();
    LayoutInput input = random_graph(5 + seed * 5 % 40, 6 + seed * 19 % 90, seed, 0.4);
    for (LayoutEdge& edge : input.edges)
        edge.back = false;
    expect_sound(input, lay_out_in_layers(input), "seed " + std::to_string(seed));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, ::testing::Range(0U, 40U));

} // namespace
} // namespace sparsight
