// A drawing of a directed graph in layers, after Sugiyama, Tagawa and Toda (1981): edges point down, long
// ones run between the nodes. Each step is in a file of its own. The same graph always gets the same drawing.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstddef>
#include <vector>

namespace sparsight {

/// From the bottom of a node to the top of another one. Loops and parallel edges may occur.
struct LayoutEdge {
    std::size_t from = 0; ///< an index of a node
    std::size_t to = 0;
    bool back = false;     ///< known to close a cycle: runs upwards beside the nodes
    double label_room = 0; ///< beside a loop, for its label; other edges have theirs between layers
};

struct LayoutInput {
    std::vector<QSizeF> nodes; ///< sizes; their order decides where nothing else does
    std::vector<LayoutEdge> edges;
};

/// In the unit of the sizes.
struct LayoutSpacing {
    double nodes = 28;      ///< between nodes of a layer
    double edges = 16;      ///< between an edge and its neighbour in a layer
    double layers = 44;     ///< between layers, where edges cross
    double ports = 12;      ///< between edges at a node
    double turns = 7;       ///< between turns of edges that run upwards
    double components = 48; ///< between parts of the graph that no edge connects
    double aspect = 1.6;    ///< width by height that rows of such parts aim at
};

struct LayoutRoute {
    /// From the border of the node that the edge leaves to that of the one it enters. Parts are vertical,
    /// horizontal (the turn of an edge that runs upwards) or slanted (between two layers).
    std::vector<QPointF> points;
    bool upwards = false; ///< leaves below its node and enters above the other, around both
};

struct LayeredLayout {
    std::vector<QRectF> nodes;
    std::vector<std::size_t> layers; ///< of each node, from 0 in its part of the graph
    std::vector<std::size_t> parts;  ///< which part of the graph each node belongs to
    std::vector<LayoutRoute> routes; ///< of each edge
    QSizeF size;
    std::size_t crossings = 0; ///< of edges between layers
};

[[nodiscard]] LayeredLayout lay_out_in_layers(const LayoutInput& input, const LayoutSpacing& spacing = {});

} // namespace sparsight
