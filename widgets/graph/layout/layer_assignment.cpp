#include "widgets/graph/layout/layer_assignment.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t no_arc = std::numeric_limits<std::size_t>::max();

/// Visits of vertices and arcs in search of better layers. A graph of thousands of nodes stops here, a little
/// above the shortest sum.
constexpr std::size_t most_layer_visits = 20'000'000;

class NetworkSimplex {
public:
    NetworkSimplex(std::size_t vertices, std::vector<LayerArc> arcs)
        : count_(vertices)
        , arcs_(std::move(arcs)) {
        connect();
        std::vector<Arc> plain;
        plain.reserve(arcs_.size());
        for (const LayerArc& arc : arcs_)
            plain.push_back(arc.arc);
        leaving_ = Adjacency(count_, plain, Adjacency::Of::LeavingArcs);
        entering_ = Adjacency(count_, plain, Adjacency::Of::EnteringArcs);
    }

    std::vector<std::size_t> layers() {
        take_longest_paths();
        grow_tight_tree();
        number_from(0, no_arc, 0);
        compute_cut_values();
        std::size_t start = 0;
        while (const auto leaving = negative_arc(start)) {
            if (visits_ > most_layer_visits)
                break;
            exchange(*leaving, entering_arc_for(*leaving));
        }
        const std::ptrdiff_t top = *std::ranges::min_element(layer_);
        std::vector<std::size_t> result(count_);
        for (std::size_t v = 0; v < count_; ++v)
            result[v] = static_cast<std::size_t>(layer_[v] - top);
        return result;
    }

private:
    [[nodiscard]] std::size_t from(std::size_t arc) const { return arcs_[arc].arc.from; }
    [[nodiscard]] std::size_t to(std::size_t arc) const { return arcs_[arc].arc.to; }
    [[nodiscard]] std::size_t other_end(std::size_t arc, std::size_t vertex) const {
        return from(arc) == vertex ? to(arc) : from(arc);
    }
    [[nodiscard]] std::ptrdiff_t slack(std::size_t arc) const {
        return layer_[to(arc)] - layer_[from(arc)] - arcs_[arc].length;
    }

    /// Arcs without length and weight between the parts, so that one tree spans all.
    void connect() {
        std::vector<Arc> plain;
        for (const LayerArc& arc : arcs_)
            plain.push_back(arc.arc);
        const auto parts = connected_parts(count_, plain);
        std::size_t known = 0;
        for (std::size_t v = 0; v < count_; ++v)
            if (parts[v] > known) {
                ++known;
                arcs_.push_back({.arc = {0, v}, .length = 0, .weight = 0});
            }
    }

    void take_longest_paths() {
        layer_.assign(count_, 0);
        std::vector<std::size_t> waits(count_);
        std::vector<std::size_t> ready;
        for (std::size_t v = 0; v < count_; ++v) {
            waits[v] = entering_[v].size();
            if (waits[v] == 0)
                ready.push_back(v);
        }
        for (std::size_t i = 0; i < ready.size(); ++i)
            for (const std::size_t arc : leaving_[ready[i]]) {
                const std::size_t next = to(arc);
                layer_[next] = std::max(layer_[next], layer_[ready[i]] + arcs_[arc].length);
                if (--waits[next] == 0)
                    ready.push_back(next);
            }
    }

    /// The tree takes every arc without slack that it reaches. Where it ends, it moves as a whole until the
    /// arc with the least slack to a vertex outside has none.
    void grow_tight_tree() {
        tree_.assign(count_, {});
        in_tree_.assign(arcs_.size(), false);
        std::vector<bool> reached(count_, false);
        std::vector<std::size_t> members{0};
        reached[0] = true;
        std::size_t next = 0;
        std::vector<std::size_t> border; // arcs from the tree to the outside, and some that have come inside
        while (true) {
            for (; next < members.size(); ++next)
                for (const auto arcs : {leaving_[members[next]], entering_[members[next]]})
                    for (const std::size_t arc : arcs) {
                        const std::size_t end = other_end(arc, members[next]);
                        if (reached[end])
                            continue;
                        if (slack(arc) != 0) {
                            border.push_back(arc);
                            continue;
                        }
                        add_to_tree(arc);
                        reached[end] = true;
                        members.push_back(end);
                    }
            if (members.size() == count_)
                return;
            std::erase_if(border, [&](std::size_t arc) { return reached[from(arc)] && reached[to(arc)]; });
            const std::size_t nearest =
                *std::ranges::min_element(border, {}, [&](std::size_t arc) { return slack(arc); });
            const std::ptrdiff_t move = reached[from(nearest)] ? slack(nearest) : -slack(nearest);
            for (const std::size_t member : members)
                layer_[member] += move;
            add_to_tree(nearest);
            const std::size_t end = reached[from(nearest)] ? to(nearest) : from(nearest);
            reached[end] = true;
            members.push_back(end);
            // Arcs of the border may have lost their slack: they are looked at again.
            for (const std::size_t arc : border) {
                if (slack(arc) != 0 || (reached[from(arc)] && reached[to(arc)]))
                    continue;
                const std::size_t outside = reached[from(arc)] ? to(arc) : from(arc);
                add_to_tree(arc);
                reached[outside] = true;
                members.push_back(outside);
            }
        }
    }

    void add_to_tree(std::size_t arc) {
        in_tree_[arc] = true;
        tree_[from(arc)].push_back(arc);
        tree_[to(arc)].push_back(arc);
    }

    /// Numbers the subtree in postorder, from `first` on: the vertices below a vertex are numbered from low_
    /// of it to last_ of it, which is its own number.
    void number_from(std::size_t root, std::size_t arc_to_parent, std::size_t first) {
        low_.resize(count_);
        last_.resize(count_);
        parent_.resize(count_);
        numbered_.resize(count_);
        struct Visit {
            std::size_t vertex;
            std::size_t next;
        };
        std::vector<Visit> visits{{root, 0}};
        parent_[root] = arc_to_parent;
        low_[root] = first;
        while (!visits.empty()) {
            Visit& visit = visits.back();
            const std::size_t vertex = visit.vertex;
            if (visit.next < tree_[vertex].size()) {
                const std::size_t arc = tree_[vertex][visit.next++];
                if (arc == parent_[vertex])
                    continue;
                const std::size_t child = other_end(arc, vertex);
                parent_[child] = arc;
                low_[child] = first;
                visits.push_back({child, 0});
                continue;
            }
            last_[vertex] = first;
            numbered_[first++] = vertex;
            visits.pop_back();
            ++visits_;
        }
    }

    [[nodiscard]] bool is_below(std::size_t vertex, std::size_t root) const {
        return low_[root] <= last_[vertex] && last_[vertex] <= last_[root];
    }
    /// The end of a tree arc that is farther from the root.
    [[nodiscard]] std::size_t child_of(std::size_t arc) const {
        return last_[from(arc)] < last_[to(arc)] ? from(arc) : to(arc);
    }

    /// The weight of arcs from the part at the start of a tree arc to the part at its end, less that of arcs
    /// back.
    void compute_cut_values() {
        std::vector<std::ptrdiff_t> surplus(count_, 0); // of weight that leaves the subtree
        for (const LayerArc& arc : arcs_) {
            surplus[arc.arc.from] += arc.weight;
            surplus[arc.arc.to] -= arc.weight;
        }
        cut_.assign(arcs_.size(), 0);
        for (const std::size_t vertex : numbered_) {
            const std::size_t arc = parent_[vertex];
            if (arc == no_arc)
                continue;
            cut_[arc] = from(arc) == vertex ? surplus[vertex] : -surplus[vertex];
            surplus[other_end(arc, vertex)] += surplus[vertex];
        }
    }

    /// The most negative of the next few; the search goes on where it ended.
    std::optional<std::size_t> negative_arc(std::size_t& start) {
        constexpr std::size_t enough = 30;
        std::optional<std::size_t> best;
        std::size_t found = 0;
        for (std::size_t step = 0; step < arcs_.size() && found < enough; ++step) {
            const std::size_t arc = start;
            start = start + 1 == arcs_.size() ? 0 : start + 1;
            ++visits_;
            if (!in_tree_[arc] || cut_[arc] >= 0)
                continue;
            ++found;
            if (!best || cut_[arc] < cut_[*best])
                best = arc;
        }
        return best;
    }

    /// The arc with the least slack between both parts, against the direction of the arc that leaves the
    /// tree.
    std::size_t entering_arc_for(std::size_t leaving) {
        const std::size_t child = child_of(leaving);
        const bool outwards = child == to(leaving);
        std::size_t best = no_arc;
        for (std::size_t number = low_[child]; number <= last_[child]; ++number) {
            const std::size_t vertex = numbered_[number];
            for (const std::size_t arc : outwards ? leaving_[vertex] : entering_[vertex]) {
                ++visits_;
                if (!is_below(other_end(arc, vertex), child) && (best == no_arc || slack(arc) < slack(best)))
                    best = arc;
            }
        }
        return best;
    }

    void exchange(std::size_t leaving, std::size_t entering) {
        const std::size_t child = child_of(leaving);
        const std::ptrdiff_t move = child == to(leaving) ? slack(entering) : -slack(entering);
        for (std::size_t number = low_[child]; number <= last_[child]; ++number)
            layer_[numbered_[number]] += move;
        visits_ += last_[child] - low_[child] + 1;

        const std::ptrdiff_t cut = cut_[leaving];
        const std::size_t meeting = add_along_path(from(entering), to(entering), cut, true);
        add_along_path(to(entering), from(entering), cut, false);
        cut_[entering] = -cut;
        cut_[leaving] = 0;
        in_tree_[leaving] = false;
        std::erase(tree_[from(leaving)], leaving);
        std::erase(tree_[to(leaving)], leaving);
        add_to_tree(entering);
        number_from(meeting, parent_[meeting], low_[meeting]);
    }

    /// Up to the first vertex that has both below it.
    std::size_t add_along_path(std::size_t vertex, std::size_t other, std::ptrdiff_t cut, bool is_start) {
        while (!is_below(other, vertex)) {
            const std::size_t arc = parent_[vertex];
            cut_[arc] += (from(arc) == vertex) == is_start ? cut : -cut;
            vertex = other_end(arc, vertex);
            ++visits_;
        }
        return vertex;
    }

    std::size_t count_;
    std::vector<LayerArc> arcs_;
    Adjacency leaving_;
    Adjacency entering_;
    std::vector<std::ptrdiff_t> layer_;
    std::vector<std::vector<std::size_t>> tree_; ///< its arcs at each vertex
    std::vector<bool> in_tree_;                  ///< of each arc
    std::vector<std::ptrdiff_t> cut_;            ///< of each arc of the tree
    std::vector<std::size_t> parent_;            ///< the arc to it
    std::vector<std::size_t> low_;
    std::vector<std::size_t> last_;
    std::vector<std::size_t> numbered_; ///< vertices by their number
    std::size_t visits_ = 0;
};

} // namespace

std::vector<std::size_t> assign_layers(std::size_t vertices, std::vector<LayerArc> arcs) {
    if (vertices == 0)
        return {};
    return NetworkSimplex(vertices, std::move(arcs)).layers();
}

} // namespace sparsight
