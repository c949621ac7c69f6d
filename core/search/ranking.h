// Candidates in the order of their scores.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sparsight {

struct Ranked {
    std::uint32_t candidate = 0; ///< its place in what was searched
    float score = 0;             ///< lower is faster
    bool operator==(const Ranked&) const = default;
};

/// Among equal scores the earlier candidate comes first, so that every ranking is one and the same.
[[nodiscard]] inline bool ranks_before(const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score < b.score : a.candidate < b.candidate;
}

/// A score that is no number (of a model that diverged) ranks last.
[[nodiscard]] inline float comparable(float score) {
    return std::isnan(score) ? std::numeric_limits<float>::infinity() : score;
}

/// The first `limit` of all that were offered.
class BestRanked {
public:
    explicit BestRanked(std::size_t limit)
        : limit_(limit) {}

    /// Whether it is among the first for now.
    bool offer(const Ranked& ranked);
    [[nodiscard]] bool is_full() const { return heap_.size() == limit_; }
    /// Whether one that was offered is still among the first.
    [[nodiscard]] bool holds(const Ranked& ranked) const {
        return !heap_.empty() && !ranks_before(heap_.front(), ranked);
    }
    /// Whether `ranked` would be among the first.
    [[nodiscard]] bool admits(const Ranked& ranked) const {
        return limit_ > 0 && (!is_full() || ranks_before(ranked, heap_.front()));
    }
    /// In their order.
    [[nodiscard]] std::vector<Ranked> take();

private:
    std::size_t limit_;
    std::vector<Ranked> heap_; ///< the last one in front
};

/// The share of `exact` that a search found, counting what ranks no later than the last of `exact` by its
/// score: which ones of equal score were found does not matter. 1 where there was nothing to find.
[[nodiscard]] double recall(const std::vector<Ranked>& found, const std::vector<Ranked>& exact);

} // namespace sparsight
