// Where everything of a graph stands: boxes of nodes with their texts, curves of edges, labels beside no
// node.
#pragma once

#include "widgets/graph/graph.h"

#include <QFont>
#include <QPainterPath>
#include <QRectF>
#include <cstddef>
#include <optional>
#include <vector>

namespace sparsight {

struct GraphFonts {
    QFont title;
    QFont detail; ///< of badges, too
    QFont label;
};
[[nodiscard]] GraphFonts graph_fonts(const Graph& graph);

struct NodeDrawing {
    QRectF box;
    QRectF title;
    QRectF detail; ///< empty without one
    QRectF badge;
    QRectF bar;         ///< as wide as a full one
    QString title_text; ///< cut where it is long
    QString detail_text;
};

struct EdgeDrawing {
    std::size_t edge = 0; ///< its number in the graph; that of edges of unknown nodes does not occur
    std::size_t from = 0; ///< numbers of its nodes
    std::size_t to = 0;
    QPainterPath curve; ///< up to the arrow
    QPointF tip;        ///< of the arrow, which points down
    QRectF label;       ///< empty where it has none or there is no room
    bool upwards = false;
};

struct GraphDrawing {
    std::vector<NodeDrawing> nodes;
    std::vector<EdgeDrawing> edges;
    std::vector<std::vector<std::size_t>> edges_of; ///< of each node: numbers of drawn edges
    QSizeF size;
    double arrow = 7; ///< its length
    double unit = 1;  ///< scales lines and margins with the font

    [[nodiscard]] std::optional<std::size_t> node_at(const QPointF& point) const;
    /// The nearest edge that is not farther away.
    [[nodiscard]] std::optional<std::size_t> edge_at(const QPointF& point, double distance) const;
};

[[nodiscard]] GraphDrawing draw_graph(const Graph& graph, const GraphFonts& fonts);

/// The smooth curve through a route: horizontal parts have round corners, slanted ones begin and end
/// vertically.
[[nodiscard]] QPainterPath curve_through(const std::vector<QPointF>& points, double radius);

enum class WalkDirection { Up, Down, Left, Right };
/// The node that an arrow key leads to: up and down along edges, or to the nearest node of another layer;
/// left and right in the layer.
[[nodiscard]] std::optional<std::size_t> neighbour_towards(const GraphDrawing& drawing, std::size_t node,
                                                           WalkDirection direction);

} // namespace sparsight
