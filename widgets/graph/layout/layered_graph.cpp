#include "widgets/graph/layout/layered_graph.h"

#include <algorithm>
#include <utility>

namespace sparsight {

void LayeredGraph::number_places(std::size_t layer) {
    for (std::size_t i = 0; i < layers[layer].size(); ++i)
        place[layers[layer][i]] = i;
}

namespace {

std::size_t add_bend(LayeredGraph& graph, std::size_t layer, bool is_turn = false) {
    graph.extents.emplace_back();
    graph.is_turn.push_back(is_turn);
    graph.layer_of.push_back(layer);
    return graph.vertices() - 1;
}

/// The chain, and the arcs along it.
void add_chain(LayeredGraph& graph, const LayeredEdge& edge) {
    EdgeChain chain{.edge = edge.edge, .ends = edge.arc, .bends = {}, .upwards = edge.upwards};
    const std::size_t top = edge.upwards ? edge.arc.to : edge.arc.from;
    const std::size_t bottom = edge.upwards ? edge.arc.from : edge.arc.to;
    const std::size_t first = graph.layer_of[top];
    const std::size_t last = graph.layer_of[bottom];
    if (!edge.upwards) {
        std::size_t before = top;
        for (std::size_t layer = first + 1; layer < last; ++layer) {
            chain.bends.push_back(add_bend(graph, layer));
            graph.arcs.push_back({before, chain.bends.back()});
            before = chain.bends.back();
        }
        graph.arcs.push_back({before, bottom});
    } else {
        std::size_t before = add_bend(graph, first - 1, true);
        graph.arcs.push_back({before, top});
        for (std::size_t layer = first; layer <= last; ++layer) {
            chain.bends.push_back(add_bend(graph, layer));
            graph.arcs.push_back({before, chain.bends.back()});
            before = chain.bends.back();
        }
        const std::size_t turn = add_bend(graph, last + 1, true);
        graph.arcs.push_back({before, turn});
        graph.arcs.push_back({bottom, turn});
    }
    graph.chains.push_back(std::move(chain));
}

void order_by_walk(LayeredGraph& graph) {
    const auto end_of_nodes = graph.layer_of.begin() + static_cast<std::ptrdiff_t>(graph.nodes);
    const std::size_t height = 2 + *std::max_element(graph.layer_of.begin(), end_of_nodes);
    graph.layers.assign(height, {});
    std::vector<bool> is_found(graph.vertices(), false);
    std::vector<std::size_t> open;
    const auto is_turn_above = [&](std::size_t vertex) { return graph.is_turn[vertex]; };
    for (std::size_t first = 0; first < graph.vertices(); ++first) {
        if (is_found[first] || !std::ranges::all_of(graph.above[first], is_turn_above))
            continue;
        open.push_back(first);
        while (!open.empty()) {
            const std::size_t vertex = open.back();
            open.pop_back();
            if (is_found[vertex])
                continue;
            is_found[vertex] = true;
            graph.layers[graph.layer_of[vertex]].push_back(vertex);
            const auto below = graph.below[vertex];
            for (std::size_t i = below.size(); i-- > 0;)
                if (!is_found[below[i]])
                    open.push_back(below[i]);
        }
    }
    graph.place.assign(graph.vertices(), 0);
    for (std::size_t layer = 0; layer < height; ++layer)
        graph.number_places(layer);
}

} // namespace

LayeredGraph layered_graph(std::vector<VertexExtent> nodes, std::vector<std::size_t> node_layers,
                           const std::vector<LayeredEdge>& edges) {
    LayeredGraph graph;
    graph.nodes = nodes.size();
    graph.extents = std::move(nodes);
    graph.is_turn.assign(graph.nodes, false);
    graph.layer_of = std::move(node_layers);
    for (std::size_t& layer : graph.layer_of)
        ++layer;
    for (const LayeredEdge& edge : edges)
        add_chain(graph, edge);
    graph.above = Adjacency(graph.vertices(), graph.arcs, Adjacency::Of::Predecessors);
    graph.below = Adjacency(graph.vertices(), graph.arcs, Adjacency::Of::Successors);
    order_by_walk(graph);
    return graph;
}

} // namespace sparsight
