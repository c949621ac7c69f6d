// Candidates sorted by score.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sparsight {

struct Ranked {
    std::uint32_t candidate = 0; ///< its place in the searched list
    float score = 0;             ///< lower is faster
    bool operator==(const Ranked&) const = default;
};

/// Of equal scores, the earlier candidate comes first, so that a ranking is unique.
[[nodiscard]] inline bool ranks_before(const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score < b.score : a.candidate < b.candidate;
}

/// A score that is not a number (from a model that diverged) ranks last.
[[nodiscard]] inline float comparable(float score) {
    return std::isnan(score) ? std::numeric_limits<float>::infinity() : score;
}

/// The first `limit` of all offered candidates.
class BestRanked {
public:
    explicit BestRanked(std::size_t limit)
        : limit_(limit) {}

    /// Returns whether the candidate is among the first for now.
    bool offer(const Ranked& ranked);
    [[nodiscard]] bool is_full() const { return heap_.size() == limit_; }
    /// Whether an offered candidate is still among the first.
    [[nodiscard]] bool holds(const Ranked& ranked) const {
        return !heap_.empty() && !ranks_before(heap_.front(), ranked);
    }
    /// Whether `ranked` would be among the first.
    [[nodiscard]] bool admits(const Ranked& ranked) const {
        return limit_ > 0 && (!is_full() || ranks_before(ranked, heap_.front()));
    }
    /// The candidates, the best first.
    [[nodiscard]] std::vector<Ranked> take();

private:
    std::size_t limit_;
    std::vector<Ranked> heap_; ///< the last one in front
};

/// The share of `exact` that a search found. A found candidate counts if its score ranks no later than the
/// last of `exact`; which of several equal scores was found does not matter. 1 where `exact` is empty.
[[nodiscard]] double recall(const std::vector<Ranked>& found, const std::vector<Ranked>& exact);

} // namespace sparsight
