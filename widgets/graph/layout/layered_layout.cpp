#include "widgets/graph/layout/layered_layout.h"

#include "widgets/graph/layout/coordinates.h"
#include "widgets/graph/layout/crossing_reduction.h"
#include "widgets/graph/layout/cycle_breaking.h"
#include "widgets/graph/layout/edge_routes.h"
#include "widgets/graph/layout/layer_assignment.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

constexpr std::ptrdiff_t weight_down = 2; ///< of an edge that points down, against one that runs upwards

/// A part of a graph that its edges connect.
struct Part {
    std::vector<std::size_t> nodes; ///< numbers in the graph
    std::vector<std::size_t> edges;
};

std::vector<Part> parts_of(const LayoutInput& input, std::vector<std::size_t>& part_of) {
    std::vector<Arc> arcs;
    for (const LayoutEdge& edge : input.edges)
        arcs.push_back({edge.from, edge.to});
    part_of = connected_parts(input.nodes.size(), arcs);
    std::vector<Part> parts;
    for (std::size_t n = 0; n < input.nodes.size(); ++n) {
        if (part_of[n] == parts.size())
            parts.emplace_back();
        parts[part_of[n]].nodes.push_back(n);
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e)
        parts[part_of[input.edges[e].from]].edges.push_back(e);
    return parts;
}

/// Nodes and edges of one part, by their numbers there.
struct PartInput {
    std::vector<QSizeF> sizes;
    std::vector<LayeredEdge> edges; ///< those that are known to go back run upwards
    std::vector<LoopEdge> loops;
};

PartInput input_of(const Part& part, const LayoutInput& input, std::vector<std::size_t>& number_in_part) {
    PartInput result;
    for (const std::size_t node : part.nodes) {
        number_in_part[node] = result.sizes.size();
        result.sizes.push_back(input.nodes[node]);
    }
    for (const std::size_t e : part.edges) {
        const LayoutEdge& edge = input.edges[e];
        const Arc arc{number_in_part[edge.from], number_in_part[edge.to]};
        if (arc.from == arc.to)
            result.loops.push_back({e, arc.from, edge.label_room});
        else
            result.edges.push_back({e, arc, edge.back});
    }
    return result;
}

/// Turns edges of cycles round, and gives every node its layer.
std::vector<std::size_t> layers_of(PartInput& part) {
    const std::size_t nodes = part.sizes.size();
    std::vector<Arc> down;
    for (const LayeredEdge& edge : part.edges)
        if (!edge.upwards)
            down.push_back(edge.arc);
    const auto is_feedback = feedback_arcs(nodes, down);
    std::size_t next = 0;
    for (LayeredEdge& edge : part.edges)
        if (!edge.upwards)
            edge.upwards = is_feedback[next++];

    // An edge that runs upwards asks that its start is not above its end, unless other edges ask for the
    // contrary.
    const auto constraint = [](const LayeredEdge& edge) {
        return edge.upwards ? Arc{.from = edge.arc.to, .to = edge.arc.from} : edge.arc;
    };
    std::vector<Arc> wishes;
    for (const LayeredEdge& edge : part.edges)
        wishes.push_back(constraint(edge));
    const auto component = strong_components(nodes, wishes);
    std::vector<LayerArc> arcs;
    for (const LayeredEdge& edge : part.edges)
        if (!edge.upwards)
            arcs.push_back({.arc = edge.arc, .length = 1, .weight = weight_down});
        else if (component[edge.arc.from] != component[edge.arc.to])
            arcs.push_back({.arc = constraint(edge), .length = 0, .weight = 1});
    auto layers = assign_layers(nodes, std::move(arcs));
    for (LayeredEdge& edge : part.edges)
        edge.upwards = layers[edge.arc.from] >= layers[edge.arc.to];
    return layers;
}

struct LaidPart {
    PartDrawing drawing;
    std::vector<std::size_t> layers;
    std::size_t crossings = 0;
};

LaidPart lay_out_part(PartInput part, const LayoutSpacing& spacing) {
    LaidPart result;
    result.layers = layers_of(part);
    std::vector<VertexExtent> extents;
    for (const QSizeF& size : part.sizes)
        extents.push_back({size.width() / 2, size.width() / 2});
    for (const LoopEdge& loop : part.loops)
        extents[loop.node].right += spacing.edges + loop.label_room;
    LayeredGraph graph = layered_graph(std::move(extents), result.layers, part.edges);
    reduce_crossings(graph);
    result.crossings = count_crossings(graph);
    result.drawing = draw_part(graph, horizontal_places(graph, spacing), part.sizes, part.loops, spacing);
    return result;
}

/// Rows of parts, the high ones first. Low ones stand below each other beside a high one.
QSizeF pack(const std::vector<QSizeF>& sizes, const LayoutSpacing& spacing, std::vector<QPointF>& corners) {
    const double gap = spacing.components;
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t part) { return sizes[part].height(); });
    double area = 0;
    double row_width = 0;
    for (const QSizeF& size : sizes) {
        area += (size.width() + gap) * (size.height() + gap);
        row_width = std::max(row_width, size.width());
    }
    row_width = std::max(row_width, std::sqrt(area * spacing.aspect));
    corners.assign(sizes.size(), {});
    QSizeF whole(0, 0);
    double row_top = 0;
    double row_height = 0;
    double left = 0; // of the column
    double column_width = 0;
    double column_bottom = 0;
    for (const std::size_t part : order) {
        const QSizeF& size = sizes[part];
        const bool fits_below = column_width > 0 && size.width() <= column_width &&
                                column_bottom + spacing.layers + size.height() <= row_top + row_height;
        if (fits_below) {
            column_bottom += spacing.layers;
        } else {
            if (column_width > 0)
                left += column_width + gap;
            if (left > 0 && left + size.width() > row_width) {
                row_top += row_height + gap;
                row_height = left = 0;
            }
            column_width = size.width();
            column_bottom = row_top;
            row_height = std::max(row_height, size.height());
        }
        corners[part] = {left, column_bottom};
        column_bottom += size.height();
        whole = whole.expandedTo({left + size.width(), column_bottom});
    }
    return whole;
}

} // namespace

LayeredLayout lay_out_in_layers(const LayoutInput& input, const LayoutSpacing& spacing) {
    LayeredLayout layout;
    layout.nodes.resize(input.nodes.size());
    layout.layers.resize(input.nodes.size());
    layout.routes.resize(input.edges.size());
    const std::vector<Part> parts = parts_of(input, layout.parts);
    std::vector<std::size_t> number_in_part(input.nodes.size());
    std::vector<LaidPart> laid;
    std::vector<QSizeF> sizes;
    for (const Part& part : parts) {
        laid.push_back(lay_out_part(input_of(part, input, number_in_part), spacing));
        sizes.push_back(laid.back().drawing.size);
        layout.crossings += laid.back().crossings;
    }
    std::vector<QPointF> corners;
    layout.size = pack(sizes, spacing, corners);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t n = 0; n < parts[p].nodes.size(); ++n) {
            layout.nodes[parts[p].nodes[n]] = laid[p].drawing.nodes[n].translated(corners[p]);
            layout.layers[parts[p].nodes[n]] = laid[p].layers[n];
        }
        for (auto& [edge, route] : laid[p].drawing.routes) {
            for (QPointF& point : route.points)
                point += corners[p];
            layout.routes[edge] = std::move(route);
        }
    }
    return layout;
}

} // namespace sparsight
