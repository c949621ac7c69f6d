#include "search/graph_walk.h"

#include <algorithm>
#include <queue>

namespace sparsight {
namespace {

/// Where a node was found, and how good it is.
struct Found {
    Ranked ranked;
    std::uint32_t from = 0;
};

struct LaterFirst {
    bool operator()(const Found& a, const Found& b) const { return ranks_before(b.ranked, a.ranked); }
};

class GraphWalker {
public:
    GraphWalker(const ProximityGraph& graph, const NodeScorer& scorer, const WalkSettings& settings)
        : graph_(graph)
        , scorer_(scorer)
        , width_(static_cast<std::size_t>(std::max(settings.width, settings.k)))
        , k_(static_cast<std::size_t>(std::max(settings.k, 0)))
        , traced_(settings.traced)
        , is_scored_(graph.node_count, false) {}

    Walk run() {
        if (graph_.node_count == 0 || k_ == 0)
            return std::move(walk_);
        descend();
        spread();
        return std::move(walk_);
    }

private:
    /// Scores the nodes that have no score yet and appends them to found_.
    void score_new(std::span<const std::uint32_t> nodes, std::uint32_t from, std::size_t layer) {
        batch_.clear();
        for (const std::uint32_t node : nodes) {
            if (is_scored_[node])
                continue;
            is_scored_[node] = true;
            batch_.push_back(node);
        }
        scores_.resize(batch_.size());
        scorer_(batch_, scores_);
        walk_.scored += static_cast<std::int64_t>(batch_.size());
        for (std::size_t i = 0; i < batch_.size(); ++i)
            found_.push_back({{batch_[i], comparable(scores_[i])}, from});
        if (traced_)
            for (std::size_t i = 0; i < batch_.size(); ++i)
                walk_.seen.push_back({batch_[i], from, static_cast<int>(layer), comparable(scores_[i])});
    }

    void visit(const Found& found, std::size_t layer) {
        if (traced_)
            walk_.visits.push_back(
                {found.ranked.candidate, found.from, static_cast<int>(layer), found.ranked.score});
    }

    void descend() {
        score_new(std::span(&graph_.entry, 1), graph_.entry, graph_.layers.size() - 1);
        Found here = found_.front();
        for (std::size_t layer = graph_.layers.size() - 1; layer > 0; --layer) {
            while (true) {
                visit(here, layer);
                const std::size_t known = found_.size();
                score_new(graph_.layers[layer].of(here.ranked.candidate), here.ranked.candidate, layer);
                // What was scored before was no better than where the walk went from there.
                const auto best =
                    std::ranges::min_element(found_.begin() + static_cast<std::ptrdiff_t>(known),
                                             found_.end(), ranks_before, &Found::ranked);
                if (best == found_.end() || !ranks_before(best->ranked, here.ranked))
                    break;
                here = *best;
            }
        }
    }

    void spread() {
        BestRanked best(width_);
        std::priority_queue<Found, std::vector<Found>, LaterFirst> open;
        const auto take_found = [&] {
            for (const Found& found : found_)
                if (best.offer(found.ranked))
                    open.push(found);
            found_.clear();
        };
        take_found();
        while (!open.empty()) {
            const Found here = open.top();
            open.pop();
            if (!best.holds(here.ranked))
                break;
            visit(here, 0);
            score_new(graph_.layers.front().of(here.ranked.candidate), here.ranked.candidate, 0);
            take_found();
        }
        walk_.best = best.take();
        walk_.best.resize(std::min(walk_.best.size(), k_));
    }

    const ProximityGraph& graph_;
    const NodeScorer& scorer_;
    std::size_t width_;
    std::size_t k_;
    bool traced_;
    std::vector<bool> is_scored_;
    std::vector<Found> found_;
    std::vector<std::uint32_t> batch_;
    std::vector<float> scores_;
    Walk walk_;
};

} // namespace

Walk walk_graph(const ProximityGraph& graph, const NodeScorer& scorer, const WalkSettings& settings) {
    return GraphWalker(graph, scorer, settings).run();
}

} // namespace sparsight
