#include "widgets/graph/layout/adjacency.h"

#include <limits>

namespace sparsight {

Adjacency::Adjacency(std::size_t vertices, std::span<const Arc> arcs, Of kind)
    : begins_(vertices + 1)
    , items_(arcs.size()) {
    const bool by_start = kind == Of::LeavingArcs || kind == Of::Successors;
    const bool has_arcs = kind == Of::LeavingArcs || kind == Of::EnteringArcs;
    for (const Arc& arc : arcs)
        ++begins_[(by_start ? arc.from : arc.to) + 1];
    for (std::size_t v = 0; v < vertices; ++v)
        begins_[v + 1] += begins_[v];
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t a = 0; a < arcs.size(); ++a) {
        const auto [key, other] = by_start ? arcs[a] : Arc{.from = arcs[a].to, .to = arcs[a].from};
        items_[next[key]++] = has_arcs ? a : other;
    }
}

std::vector<std::size_t> connected_parts(std::size_t vertices, std::span<const Arc> arcs) {
    const Adjacency below(vertices, arcs, Adjacency::Of::Successors);
    const Adjacency above(vertices, arcs, Adjacency::Of::Predecessors);
    constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> parts(vertices, unseen);
    std::size_t count = 0;
    std::vector<std::size_t> open;
    for (std::size_t first = 0; first < vertices; ++first) {
        if (parts[first] != unseen)
            continue;
        parts[first] = count;
        open.push_back(first);
        while (!open.empty()) {
            const std::size_t vertex = open.back();
            open.pop_back();
            for (const auto neighbours : {below[vertex], above[vertex]})
                for (const std::size_t neighbour : neighbours)
                    if (parts[neighbour] == unseen) {
                        parts[neighbour] = count;
                        open.push_back(neighbour);
                    }
        }
        ++count;
    }
    return parts;
}

} // namespace sparsight
