#include "search/reachability.h"

#include <algorithm>
#include <vector>

namespace sparsight {
namespace {

using AddedLinks = std::vector<std::vector<std::uint32_t>>; ///< of each node

class Reach {
public:
    explicit Reach(const LinkLists& bottom, std::uint32_t nodes)
        : bottom_(bottom)
        , reached_(nodes, false) {}

    [[nodiscard]] bool reaches(std::uint32_t node) const { return reached_[node]; }

    /// With everything that can be reached from there.
    void add(std::uint32_t start) {
        std::vector<std::uint32_t> waiting{start};
        reached_[start] = true;
        while (!waiting.empty()) {
            const std::uint32_t node = waiting.back();
            waiting.pop_back();
            for (const std::uint32_t next : bottom_.of(node)) {
                if (reached_[next])
                    continue;
                reached_[next] = true;
                waiting.push_back(next);
            }
        }
    }

private:
    const LinkLists& bottom_;
    std::vector<bool> reached_;
};

LinkLists joined(const LinkLists& lists, const AddedLinks& added) {
    LinkLists result;
    result.starts.push_back(0);
    for (std::uint32_t node = 0; node < added.size(); ++node) {
        const auto links = lists.of(node);
        result.links.insert(result.links.end(), links.begin(), links.end());
        result.links.insert(result.links.end(), added[node].begin(), added[node].end());
        result.starts.push_back(static_cast<std::uint32_t>(result.links.size()));
    }
    return result;
}

} // namespace

void make_reachable(ProximityGraph& graph) {
    if (graph.node_count == 0)
        return;
    LinkLists& bottom = graph.layers.front();
    Reach reach(bottom, graph.node_count);
    reach.add(graph.entry);
    AddedLinks added(graph.node_count);
    // Once around for those that link to a reachable node, once more for those that still have none.
    for (const bool from_entry : {false, true}) {
        for (std::uint32_t node = 0; node < graph.node_count; ++node) {
            if (reach.reaches(node))
                continue;
            const auto links = bottom.of(node);
            const auto from =
                std::ranges::find_if(links, [&](std::uint32_t link) { return reach.reaches(link); });
            if (from == links.end() && !from_entry)
                continue;
            added[from != links.end() ? *from : graph.entry].push_back(node);
            reach.add(node);
        }
    }
    bottom = joined(bottom, added);
}

} // namespace sparsight
