#include "widgets/graph/layout/crossing_reduction.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace sparsight {

namespace {

constexpr int most_sweeps = 24;
constexpr int patience = 4;                           ///< sweeps without a better order
constexpr std::size_t most_order_visits = 12'000'000; ///< of arcs, in graphs of thousands of nodes
constexpr int most_siftings = 2;                      ///< passes over a layer
constexpr int most_starts = 12;
constexpr std::size_t visits_for_starts = 20'000;
constexpr std::size_t wide_layer = 64; ///< vertices; in wider ones, each moves a few places only
constexpr std::size_t reach_in_wide_layer = 2;

/// Between this layer and the next one.
std::size_t crossings_below(const LayeredGraph& graph, std::size_t layer, std::vector<std::size_t>& tree,
                            std::vector<std::size_t>& ends) {
    const std::size_t width = graph.layers[layer + 1].size();
    tree.assign(width + 1, 0);
    std::size_t crossings = 0;
    std::size_t seen = 0;
    for (const std::size_t vertex : graph.layers[layer]) {
        ends.clear();
        for (const std::size_t neighbour : graph.below[vertex])
            ends.push_back(graph.place[neighbour]);
        std::ranges::sort(ends);
        // Arcs of vertices further left that end further right cross this one.
        for (const std::size_t end : ends) {
            std::size_t not_right = 0;
            for (std::size_t i = end + 1; i > 0; i -= i & (~i + 1))
                not_right += tree[i];
            crossings += seen - not_right;
        }
        for (const std::size_t end : ends)
            for (std::size_t i = end + 1; i <= width; i += i & (~i + 1))
                ++tree[i];
        seen += ends.size();
    }
    return crossings;
}

class CrossingReduction {
public:
    explicit CrossingReduction(LayeredGraph& graph)
        : graph_(graph)
        , barycentre_(graph.vertices(), 0) {}

    void run() {
        const auto natural = graph_.layers;
        best_ = natural;
        least_ = count_crossings(graph_);
        sweep();
        // Small graphs are tried again from other orders, always the same ones: sweeps end in local minima.
        std::mt19937 random(1);
        for (int start = 1; start < most_starts && least_ > 0 && visits_ < visits_for_starts; ++start) {
            for (std::size_t layer = 0; layer < natural.size(); ++layer) {
                auto& vertices = graph_.layers[layer];
                vertices = natural[layer];
                for (std::size_t i = vertices.size(); i > 1; --i)
                    std::swap(vertices[i - 1], vertices[random() % i]);
                graph_.number_places(layer);
            }
            sweep();
        }
        graph_.layers = std::move(best_);
        for (std::size_t layer = 0; layer < graph_.layers.size(); ++layer)
            graph_.number_places(layer);
    }

private:
    void sweep() {
        std::size_t least_of_start = std::numeric_limits<std::size_t>::max();
        int without_gain = 0;
        for (int sweep = 0; sweep < most_sweeps && least_ > 0 && without_gain < patience; ++sweep) {
            if (visits_ > most_order_visits)
                break;
            const bool downwards = sweep % 2 == 0;
            const bool turn_ties = sweep % 4 >= 2;
            const std::size_t height = graph_.layers.size();
            for (std::size_t step = 1; step < height; ++step) {
                const std::size_t layer = downwards ? step : height - 1 - step;
                sort_by_barycentre(layer, downwards ? graph_.above : graph_.below, turn_ties);
            }
            for (std::size_t step = 0; step < height; ++step)
                sift(downwards ? step : height - 1 - step, turn_ties);
            const std::size_t crossings = count_crossings(graph_);
            visits_ += graph_.arcs.size();
            ++without_gain;
            if (crossings < least_of_start) {
                least_of_start = crossings;
                without_gain = 0;
            }
            if (crossings < least_) {
                least_ = crossings;
                best_ = graph_.layers;
            }
        }
    }

    /// Vertices without neighbours on that side keep their places.
    void sort_by_barycentre(std::size_t layer, const Adjacency& neighbours, bool turn_ties) {
        auto& vertices = graph_.layers[layer];
        movable_.clear();
        for (const std::size_t vertex : vertices) {
            const auto fixed = neighbours[vertex];
            if (fixed.empty())
                continue;
            std::size_t sum = 0;
            for (const std::size_t neighbour : fixed)
                sum += graph_.place[neighbour];
            visits_ += fixed.size();
            barycentre_[vertex] = static_cast<double>(sum) / static_cast<double>(fixed.size());
            movable_.push_back(vertex);
        }
        if (turn_ties)
            std::ranges::reverse(movable_);
        std::ranges::stable_sort(movable_, {}, [&](std::size_t vertex) { return barycentre_[vertex]; });
        std::size_t next = 0;
        for (std::size_t& vertex : vertices)
            if (!neighbours[vertex].empty())
                vertex = movable_[next++];
        graph_.number_places(layer);
    }

    /// Moves each vertex of the layer to where it crosses least, as long as that helps.
    void sift(std::size_t layer, bool accept_ties) {
        auto& vertices = graph_.layers[layer];
        if (vertices.size() < 2)
            return;
        collect_places(vertices, graph_.above, above_);
        collect_places(vertices, graph_.below, below_);
        const std::size_t reach = vertices.size() <= wide_layer ? vertices.size() : reach_in_wide_layer;
        order_.resize(vertices.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        bool is_better = true;
        for (int pass = 0; pass < most_siftings && is_better; ++pass) {
            is_better = false;
            for (std::size_t i = 0; i < order_.size(); ++i)
                is_better = sift_vertex(i, reach, accept_ties && pass == 0) || is_better;
        }
        const auto before = vertices;
        for (std::size_t i = 0; i < order_.size(); ++i)
            vertices[i] = before[order_[i]];
        graph_.number_places(layer);
    }

    /// Whether fewer arcs cross. Where ties are accepted, it may move without that.
    bool sift_vertex(std::size_t from, std::size_t reach, bool accept_ties) {
        std::size_t best = from;
        std::ptrdiff_t most = accept_ties ? -1 : 0;
        std::ptrdiff_t sum = 0;
        const auto gain = [&](std::size_t left, std::size_t right) {
            visits_ +=
                1 + (above_.arcs(order_[left], order_[right]) + below_.arcs(order_[left], order_[right])) / 8;
            return above_.gain(order_[left], order_[right]) + below_.gain(order_[left], order_[right]);
        };
        const auto offer = [&](std::size_t place) {
            if (sum > most) {
                most = sum;
                best = place;
            }
        };
        for (std::size_t to = from + 1; to < order_.size() && to - from <= reach; ++to) {
            sum += gain(from, to);
            offer(to);
        }
        sum = 0;
        for (std::size_t to = from; to > 0 && from - to < reach; --to) {
            sum += gain(to - 1, from);
            offer(to - 1);
        }
        const auto at = [&](std::size_t place) {
            return order_.begin() + static_cast<std::ptrdiff_t>(place);
        };
        if (best > from)
            std::rotate(at(from), at(from + 1), at(best + 1));
        else if (best < from)
            std::rotate(at(best), at(from), at(from + 1));
        return most > 0;
    }

    /// Where the neighbours of the vertices of a layer stand, sorted.
    struct Places {
        std::vector<std::size_t> begins;
        std::vector<std::size_t> places;

        [[nodiscard]] std::size_t arcs(std::size_t left, std::size_t right) const {
            return begins[left + 1] - begins[left] + begins[right + 1] - begins[right];
        }
        /// How many crossings fewer there are with the vertices swapped.
        [[nodiscard]] std::ptrdiff_t gain(std::size_t left, std::size_t right) const {
            const std::size_t left_end = begins[left + 1];
            const std::size_t right_end = begins[right + 1];
            std::ptrdiff_t now = 0; // pairs that cross
            std::ptrdiff_t swapped = 0;
            std::size_t lower = begins[right]; // places of the right one below that of the left one
            std::size_t equal = begins[right]; // and not above it
            for (std::size_t l = begins[left]; l < left_end; ++l) {
                while (lower < right_end && places[lower] < places[l])
                    ++lower;
                while (equal < right_end && places[equal] <= places[l])
                    ++equal;
                now += static_cast<std::ptrdiff_t>(lower - begins[right]);
                swapped += static_cast<std::ptrdiff_t>(right_end - equal);
            }
            return now - swapped;
        }
    };

    void collect_places(const std::vector<std::size_t>& vertices, const Adjacency& neighbours, Places& into) {
        into.begins.assign(1, 0);
        into.places.clear();
        for (const std::size_t vertex : vertices) {
            for (const std::size_t neighbour : neighbours[vertex])
                into.places.push_back(graph_.place[neighbour]);
            std::sort(into.places.begin() + static_cast<std::ptrdiff_t>(into.begins.back()),
                      into.places.end());
            into.begins.push_back(into.places.size());
        }
    }

    LayeredGraph& graph_;
    std::vector<double> barycentre_;
    std::vector<std::size_t> movable_;
    std::vector<std::size_t> order_; ///< of the layer that is sifted, as places before
    Places above_;
    Places below_;
    std::vector<std::vector<std::size_t>> best_;
    std::size_t least_ = 0;
    std::size_t visits_ = 0;
};

} // namespace

std::size_t count_crossings(const LayeredGraph& graph) {
    std::vector<std::size_t> tree;
    std::vector<std::size_t> ends;
    std::size_t crossings = 0;
    for (std::size_t layer = 0; layer + 1 < graph.layers.size(); ++layer)
        crossings += crossings_below(graph, layer, tree, ends);
    return crossings;
}

void reduce_crossings(LayeredGraph& graph) {
    CrossingReduction(graph).run();
}

} // namespace sparsight
