// A graph whose arcs connect neighbouring layers: long edges run through bends, vertices without a size.
// Edges that run upwards have two turns besides, in the layers around their nodes.
#pragma once

#include "widgets/graph/layout/adjacency.h"

#include <vector>

namespace sparsight {

/// Room of a vertex at both sides of the place where it stands.
struct VertexExtent {
    double left = 0;
    double right = 0;
};

/// How an edge runs: the vertices that it passes, from above.
struct EdgeChain {
    std::size_t edge = 0;
    Arc ends;                       ///< its nodes
    std::vector<std::size_t> bends; ///< downwards: between its nodes; upwards: beside them, from the layer of
                                    ///< the one that it enters on
    bool upwards = false;
};

struct LayeredGraph {
    std::size_t nodes = 0; ///< the first vertices; the others are bends and turns
    std::vector<VertexExtent> extents;
    std::vector<bool>
        is_turn; ///< a vertex that is not drawn: it only pulls an edge that runs upwards to its node
    std::vector<std::size_t> layer_of;
    std::vector<std::vector<std::size_t>> layers; ///< vertices from left to right
    std::vector<std::size_t> place;               ///< of each vertex in its layer
    std::vector<Arc> arcs;                        ///< from a layer to the next one
    Adjacency above;                              ///< neighbours of each vertex in the layer before
    Adjacency below;
    std::vector<EdgeChain> chains;

    [[nodiscard]] bool is_bend(std::size_t vertex) const { return vertex >= nodes; }
    [[nodiscard]] std::size_t vertices() const { return layer_of.size(); }
    /// After the order of a layer has changed.
    void number_places(std::size_t layer);
};

/// An edge and the layers of its ends, which differ unless it runs upwards.
struct LayeredEdge {
    std::size_t edge = 0; ///< its number, for the chain
    Arc arc;
    bool upwards = false;
};

/// Layers of nodes have room above and below for turns: they begin with 1. Every layer has its vertices in
/// the order in which a walk from the first node on finds them.
[[nodiscard]] LayeredGraph layered_graph(std::vector<VertexExtent> nodes,
                                         std::vector<std::size_t> node_layers,
                                         const std::vector<LayeredEdge>& edges);

} // namespace sparsight
