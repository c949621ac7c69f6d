// The arcs of each vertex of a graph, in one array.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

struct Arc {
    std::size_t from = 0;
    std::size_t to = 0;
};

/// Numbers of arcs, or of the vertices at their other end, by vertex; in the order of the arcs.
class Adjacency {
public:
    enum class Of { LeavingArcs, EnteringArcs, Successors, Predecessors };

    Adjacency() = default;
    Adjacency(std::size_t vertices, std::span<const Arc> arcs, Of kind);

    [[nodiscard]] std::span<const std::size_t> operator[](std::size_t vertex) const {
        return std::span(items_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
    }

private:
    std::vector<std::size_t> begins_{0};
    std::vector<std::size_t> items_;
};

/// For each vertex the number of its part: vertices that arcs connect in any direction have the same one.
/// Parts are numbered in the order of their first vertices.
[[nodiscard]] std::vector<std::size_t> connected_parts(std::size_t vertices, std::span<const Arc> arcs);

} // namespace sparsight
