#include "base/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sparsight {

std::optional<double> ordered_pair_accuracy(const PairCounts& pairs) {
    const std::int64_t comparable = pairs.concordant + pairs.discordant + pairs.tied_scores;
    if (comparable == 0)
        return std::nullopt;
    return (static_cast<double>(pairs.concordant) + 0.5 * static_cast<double>(pairs.tied_scores)) /
           static_cast<double>(comparable);
}

double mean_of_top(std::span<const float> scores, std::span<const double> runtimes, std::size_t k,
                   const std::function<double(double)>& value) {
    std::vector<float> sorted(scores.begin(), scores.end());
    k = std::min(k, sorted.size());
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(k - 1));
    const float last_score = sorted[k - 1];

    double certain = std::numeric_limits<double>::infinity(); // fastest of those that are chosen anyway
    std::size_t chosen = 0;
    std::vector<double> tied;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (scores[i] < last_score) {
            certain = std::min(certain, runtimes[i]);
            ++chosen;
        } else if (scores[i] == last_score) {
            tied.push_back(runtimes[i]);
        }
    }
    // The i-th fastest of t tied ones is the fastest of m random ones with the probability that none before
    // it is among them, times m / (t − i).
    std::ranges::sort(tied);
    const auto places = static_cast<double>(k - chosen);
    double mean = 0;
    double none_before = 1;
    for (std::size_t i = 0; i < tied.size() && none_before > 0; ++i) {
        const double share = std::min(1.0, places / static_cast<double>(tied.size() - i));
        mean += none_before * share * value(std::min(certain, tied[i]));
        none_before *= 1 - share;
    }
    return mean;
}

std::optional<double> top_k_regret(std::span<const float> scores, std::span<const double> runtimes,
                                   std::size_t k) {
    if (runtimes.empty())
        return std::nullopt;
    const double best = std::ranges::min(runtimes);
    if (std::isinf(best))
        return std::nullopt;
    return mean_of_top(scores, runtimes, k, [&](double milliseconds) { return milliseconds / best; }) - 1;
}

} // namespace sparsight
