#include "widgets/graph/layout/coordinates.h"

#include "widgets/graph/layout/layered_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

constexpr double undefined_place = std::numeric_limits<double>::infinity();

/// From the left vertex to the right one. Turns are not drawn, and need no room besides that of their
/// neighbours.
double least_distance(const LayeredGraph& graph, const LayoutSpacing& spacing, std::size_t left,
                      std::size_t right) {
    const auto half = [&](std::size_t vertex) {
        return graph.is_turn[vertex] ? 0 : (graph.is_bend(vertex) ? spacing.edges : spacing.nodes) / 2;
    };
    return graph.extents[left].right + half(left) + half(right) + graph.extents[right].left;
}

/// The graph as one of the four alignments sees it: upside down, mirrored, or both.
struct AlignmentView {
    std::vector<std::vector<std::size_t>> layers;
    std::vector<std::size_t> place;
    bool mirrored = false;
    bool upside_down = false;
};

AlignmentView view_of(const LayeredGraph& graph, bool upside_down, bool mirrored) {
    AlignmentView view{graph.layers, graph.place, mirrored, upside_down};
    if (upside_down)
        std::ranges::reverse(view.layers);
    if (mirrored)
        for (auto& layer : view.layers) {
            std::ranges::reverse(layer);
            for (std::size_t i = 0; i < layer.size(); ++i)
                view.place[layer[i]] = i;
        }
    return view;
}

/// Arcs that cross an inner segment, which is one between two bends: such segments are to be vertical.
std::vector<bool> crossing_inner_segments(const LayeredGraph& graph) {
    std::vector<bool> is_conflict(graph.arcs.size(), false);
    const Adjacency entering(graph.vertices(), graph.arcs, Adjacency::Of::EnteringArcs);
    for (std::size_t layer = 0; layer + 1 < graph.layers.size(); ++layer) {
        const auto& lower = graph.layers[layer + 1];
        std::size_t left = 0;
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            std::size_t right = graph.layers[layer].empty() ? 0 : graph.layers[layer].size() - 1;
            bool is_inner = false;
            if (graph.is_bend(lower[i]))
                for (const std::size_t neighbour : graph.above[lower[i]])
                    if (graph.is_bend(neighbour)) {
                        right = graph.place[neighbour];
                        is_inner = true;
                    }
            if (!is_inner && i + 1 < lower.size())
                continue;
            for (; scanned <= i; ++scanned)
                for (const std::size_t arc : entering[lower[scanned]]) {
                    const std::size_t place = graph.place[graph.arcs[arc].from];
                    if (place < left || place > right)
                        is_conflict[arc] = true;
                }
            left = right;
        }
    }
    return is_conflict;
}

class Alignment {
public:
    Alignment(const LayeredGraph& graph, const LayoutSpacing& spacing, const std::vector<bool>& conflicts,
              const Adjacency& arcs_to_before, bool upside_down, bool mirrored)
        : graph_(graph)
        , spacing_(spacing)
        , view_(view_of(graph, upside_down, mirrored)) {
        align(conflicts, arcs_to_before);
        place_blocks();
        shift_classes();
        if (mirrored)
            for (double& place : places_)
                place = -place;
    }

    [[nodiscard]] std::vector<double> take_places() { return std::move(places_); }

private:
    /// Blocks of vertices, one below the other, each with the middle one of its neighbours above.
    void align(const std::vector<bool>& conflicts, const Adjacency& arcs_to_before) {
        const std::size_t count = graph_.vertices();
        root_.resize(count);
        next_.resize(count);
        for (std::size_t v = 0; v < count; ++v)
            root_[v] = next_[v] = v;
        std::vector<std::size_t> arcs;
        const auto end = [&](std::size_t arc) {
            return view_.upside_down ? graph_.arcs[arc].to : graph_.arcs[arc].from;
        };
        for (std::size_t layer = 1; layer < view_.layers.size(); ++layer) {
            std::size_t free = 0; // places before it are left of an alignment
            for (const std::size_t vertex : view_.layers[layer]) {
                const auto all = arcs_to_before[vertex];
                if (all.empty())
                    continue;
                arcs.assign(all.begin(), all.end());
                std::ranges::sort(arcs, {}, [&](std::size_t arc) { return view_.place[end(arc)]; });
                const std::array<std::size_t, 2> middles{(arcs.size() - 1) / 2, arcs.size() / 2};
                for (const std::size_t middle : middles) {
                    if (next_[vertex] != vertex)
                        break;
                    const std::size_t neighbour = end(arcs[middle]);
                    if (conflicts[arcs[middle]] || view_.place[neighbour] < free)
                        continue;
                    next_[neighbour] = vertex;
                    root_[vertex] = root_[neighbour];
                    next_[vertex] = root_[vertex];
                    free = view_.place[neighbour] + 1;
                }
            }
        }
    }

    [[nodiscard]] double separation(std::size_t left, std::size_t right) const {
        return view_.mirrored ? least_distance(graph_, spacing_, right, left)
                              : least_distance(graph_, spacing_, left, right);
    }
    [[nodiscard]] std::size_t left_of(std::size_t vertex) const {
        return view_.layers[view_layer(vertex)][view_.place[vertex] - 1];
    }
    [[nodiscard]] std::size_t view_layer(std::size_t vertex) const {
        return view_.upside_down ? view_.layers.size() - 1 - graph_.layer_of[vertex]
                                 : graph_.layer_of[vertex];
    }

    /// Within its class, which is named by its sink, every block goes as far left as it can.
    void place_blocks() {
        const std::size_t count = graph_.vertices();
        places_.assign(count, undefined_place);
        sink_.resize(count);
        for (std::size_t v = 0; v < count; ++v)
            sink_[v] = v;
        struct Visit {
            std::size_t root;
            std::size_t vertex; ///< of the block: the next one to look at
        };
        std::vector<Visit> visits;
        for (std::size_t first = 0; first < count; ++first) {
            if (root_[first] != first || places_[first] != undefined_place)
                continue;
            places_[first] = 0;
            visits.push_back({first, first});
            while (!visits.empty()) {
                auto& [root, vertex] = visits.back();
                if (view_.place[vertex] > 0) {
                    const std::size_t neighbour = left_of(vertex);
                    const std::size_t block = root_[neighbour];
                    if (places_[block] == undefined_place) {
                        places_[block] = 0;
                        visits.push_back({block, block});
                        continue;
                    }
                    if (sink_[root] == root)
                        sink_[root] = sink_[block];
                    if (sink_[root] == sink_[block])
                        places_[root] =
                            std::max(places_[root], places_[block] + separation(neighbour, vertex));
                }
                vertex = next_[vertex];
                if (vertex == root)
                    visits.pop_back();
            }
        }
        for (std::size_t v = 0; v < count; ++v) {
            places_[v] = places_[root_[v]];
            sink_[v] = sink_[root_[v]];
        }
    }

    /// Classes move together as far as their neighbours allow, in the order that the erratum asks for.
    void shift_classes() {
        std::vector<double> shift(graph_.vertices(), undefined_place);
        for (std::size_t start = 0; start < view_.layers.size(); ++start) {
            if (view_.layers[start].empty())
                continue;
            const std::size_t sink = sink_[view_.layers[start].front()];
            if (sink != view_.layers[start].front())
                continue;
            if (shift[sink] == undefined_place)
                shift[sink] = 0;
            std::size_t layer = start;
            std::size_t place = 0;
            do {
                std::size_t vertex = view_.layers[layer][place];
                while (next_[vertex] != root_[vertex]) {
                    vertex = next_[vertex];
                    ++layer;
                    if (view_.place[vertex] == 0)
                        continue;
                    const std::size_t neighbour = left_of(vertex);
                    shift[sink_[neighbour]] =
                        std::min(shift[sink_[neighbour]], shift[sink] + places_[vertex] - places_[neighbour] -
                                                              separation(neighbour, vertex));
                }
                place = view_.place[vertex] + 1;
            } while (place < view_.layers[layer].size() && sink_[view_.layers[layer][place]] == sink);
        }
        for (std::size_t v = 0; v < graph_.vertices(); ++v)
            if (shift[sink_[v]] != undefined_place)
                places_[v] += shift[sink_[v]];
    }

    const LayeredGraph& graph_;
    const LayoutSpacing& spacing_;
    AlignmentView view_;
    std::vector<std::size_t> root_; ///< the first vertex of its block
    std::vector<std::size_t> next_; ///< in its block; the last one leads to the first
    std::vector<std::size_t> sink_;
    std::vector<double> places_;
};

/// The vertex beside this one that is drawn, to the left or to the right.
std::optional<std::size_t> drawn_neighbour(const LayeredGraph& graph, std::size_t vertex, bool to_the_left) {
    const auto& layer = graph.layers[graph.layer_of[vertex]];
    for (std::size_t place = graph.place[vertex]; to_the_left ? place > 0 : place + 1 < layer.size();) {
        place = to_the_left ? place - 1 : place + 1;
        if (!graph.is_turn[layer[place]])
            return layer[place];
    }
    return std::nullopt;
}

/// Moves edges that run upwards to their nodes, as far as what is between them allows: the alignments leave
/// those at the borders of the drawing far outside.
void pull_edges_in(const LayeredGraph& graph, const LayoutSpacing& spacing, std::vector<double>& places) {
    for (int pass = 0; pass < 2; ++pass) // an edge may wait for the one inside it
        for (const EdgeChain& chain : graph.chains) {
            if (!chain.upwards)
                continue;
            const double place = places[chain.bends.front()];
            if (std::ranges::any_of(chain.bends,
                                    [&](std::size_t bend) { return std::abs(places[bend] - place) > 0.01; }))
                continue; // it is not straight
            const bool is_right = place > places[chain.ends.from];
            double bound = is_right ? -undefined_place : undefined_place;
            for (const std::size_t bend : chain.bends)
                if (const auto neighbour = drawn_neighbour(graph, bend, is_right))
                    bound = is_right ? std::max(bound, places[*neighbour] +
                                                           least_distance(graph, spacing, *neighbour, bend))
                                     : std::min(bound, places[*neighbour] -
                                                           least_distance(graph, spacing, bend, *neighbour));
            if (std::isfinite(bound) && (is_right ? bound < place : bound > place))
                for (const std::size_t bend : chain.bends)
                    places[bend] = bound;
        }
}

} // namespace

std::vector<double> horizontal_places(const LayeredGraph& graph, const LayoutSpacing& spacing) {
    const std::size_t count = graph.vertices();
    const auto conflicts = crossing_inner_segments(graph);
    const Adjacency entering(count, graph.arcs, Adjacency::Of::EnteringArcs);
    const Adjacency leaving(count, graph.arcs, Adjacency::Of::LeavingArcs);
    std::array<std::vector<double>, 4> alignments;
    std::array<std::pair<double, double>, 4> bounds;
    for (std::size_t i = 0; i < alignments.size(); ++i) {
        const bool upside_down = i >= 2;
        const bool mirrored = i % 2 == 1;
        alignments[i] =
            Alignment(graph, spacing, conflicts, upside_down ? leaving : entering, upside_down, mirrored)
                .take_places();
        bounds[i] = {undefined_place, -undefined_place};
        for (std::size_t v = 0; v < count; ++v) {
            bounds[i].first = std::min(bounds[i].first, alignments[i][v] - graph.extents[v].left);
            bounds[i].second = std::max(bounds[i].second, alignments[i][v] + graph.extents[v].right);
        }
    }
    // All stand as the narrowest one does: those to the left with the left border, the others with the right
    // one.
    const auto narrowest = *std::ranges::min_element(
        bounds, {}, [](const std::pair<double, double>& bound) { return bound.second - bound.first; });
    for (std::size_t i = 0; i < alignments.size(); ++i) {
        const double move =
            i % 2 == 1 ? narrowest.second - bounds[i].second : narrowest.first - bounds[i].first;
        for (double& place : alignments[i])
            place += move;
    }
    std::vector<double> places(count);
    for (std::size_t v = 0; v < count; ++v) {
        std::array<double, 4> four{alignments[0][v], alignments[1][v], alignments[2][v], alignments[3][v]};
        std::ranges::sort(four);
        places[v] = (four[1] + four[2]) / 2;
    }
    pull_edges_in(graph, spacing, places);
    double least = undefined_place;
    for (std::size_t v = 0; v < count; ++v)
        if (!graph.is_turn[v])
            least = std::min(least, places[v] - graph.extents[v].left);
    for (double& place : places)
        place -= least;
    return places;
}

} // namespace sparsight
