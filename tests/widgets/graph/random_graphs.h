// Graphs for tests of the drawing in layers, made from a seed.
#pragma once

#include "widgets/graph/layout/layered_layout.h"

#include <random>

namespace sparsight {

inline LayoutInput input_of(std::size_t nodes, const std::vector<LayoutEdge>& edges,
                            QSizeF size = QSizeF(100, 40)) {
    return {.nodes = std::vector<QSizeF>(nodes, size), .edges = edges};
}

/// Edges point from earlier to later nodes that are not far away, as operands do, and a share of them goes
/// back.
inline LayoutInput random_graph(std::size_t nodes, std::size_t edges, unsigned seed, double back_share = 0,
                                std::size_t reach = 20) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    LayoutInput input;
    for (std::size_t n = 0; n < nodes; ++n)
        input.nodes.emplace_back(60.0 + static_cast<double>(below(140)),
                                 24.0 + static_cast<double>(below(30)));
    for (std::size_t e = 0; e < edges; ++e) {
        const std::size_t to = 1 + below(nodes - 1);
        const std::size_t from = to - 1 - below(std::min(to, reach));
        if (static_cast<double>(below(1000)) < 1000 * back_share)
            input.edges.push_back({.from = to, .to = from, .back = true});
        else
            input.edges.push_back({.from = from, .to = to});
    }
    return input;
}

} // namespace sparsight
