#include "search/ranking.h"

#include <algorithm>
#include <utility>

namespace sparsight {

bool BestRanked::offer(const Ranked& ranked) {
    if (!admits(ranked))
        return false;
    if (is_full()) {
        std::ranges::pop_heap(heap_, ranks_before);
        heap_.back() = ranked;
    } else {
        heap_.push_back(ranked);
    }
    std::ranges::push_heap(heap_, ranks_before);
    return true;
}

std::vector<Ranked> BestRanked::take() {
    std::ranges::sort(heap_, ranks_before);
    return std::exchange(heap_, {});
}

double recall(const std::vector<Ranked>& found, const std::vector<Ranked>& exact) {
    if (exact.empty())
        return 1;
    const auto hits = std::ranges::count_if(
        found, [&](const Ranked& ranked) { return ranked.score <= exact.back().score; });
    return std::min(1.0, static_cast<double>(hits) / static_cast<double>(exact.size()));
}

} // namespace sparsight
