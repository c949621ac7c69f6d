#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace sparsight {

namespace {

std::int64_t pairs_of(std::int64_t count) {
    return count * (count - 1) / 2;
}

/// Σ over runs of equal neighbours of the pairs within a run.
template <typename Equal>
std::int64_t pairs_in_runs(std::size_t count, Equal equal) {
    std::int64_t pairs = 0;
    for (std::size_t first = 0; first < count;) {
        std::size_t last = first + 1;
        while (last < count && equal(first, last))
            ++last;
        pairs += pairs_of(static_cast<std::int64_t>(last - first));
        first = last;
    }
    return pairs;
}

/// Sorts by merging; returns how many pairs stood in the wrong order.
std::int64_t sort_and_count_swaps(std::span<double> values, std::span<double> buffer) {
    if (values.size() < 2)
        return 0;
    const std::size_t half = values.size() / 2;
    std::int64_t swaps = sort_and_count_swaps(values.first(half), buffer.first(half)) +
                         sort_and_count_swaps(values.subspan(half), buffer.subspan(half));
    std::size_t left = 0;
    std::size_t right = half;
    for (double& merged : buffer.first(values.size())) {
        if (right == values.size() || (left < half && values[left] <= values[right])) {
            merged = values[left++];
        } else {
            merged = values[right++];
            swaps += static_cast<std::int64_t>(half - left);
        }
    }
    std::ranges::copy(buffer.first(values.size()), values.begin());
    return swaps;
}

template <typename Score>
PairCounts count_all(std::span<const Score> scores, std::span<const double> runtimes) {
    const std::size_t count = scores.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return scores[a] != scores[b] ? scores[a] < scores[b] : runtimes[a] < runtimes[b];
    });
    const auto same_score = [&](std::size_t a, std::size_t b) {
        return scores[order[a]] == scores[order[b]];
    };
    const std::int64_t equal_scores = pairs_in_runs(count, same_score);
    PairCounts pairs;
    pairs.tied_both = pairs_in_runs(count, [&](std::size_t a, std::size_t b) {
        return same_score(a, b) && runtimes[order[a]] == runtimes[order[b]];
    });

    std::vector<double> sorted(count);
    std::ranges::transform(order, sorted.begin(), [&](std::size_t i) { return runtimes[i]; });
    std::vector<double> buffer(count);
    pairs.discordant = sort_and_count_swaps(sorted, buffer);
    const std::int64_t equal_runtimes =
        pairs_in_runs(count, [&](std::size_t a, std::size_t b) { return sorted[a] == sorted[b]; });

    pairs.tied_scores = equal_scores - pairs.tied_both;
    pairs.tied_runtimes = equal_runtimes - pairs.tied_both;
    pairs.concordant = pairs_of(static_cast<std::int64_t>(count)) - pairs.discordant - pairs.tied_scores -
                       pairs.tied_runtimes - pairs.tied_both;
    return pairs;
}

} // namespace

bool RankedTimes::is_slower(std::size_t one, std::size_t other) const {
    if (!std::isfinite(milliseconds[other]))
        return false;
    if (!std::isfinite(milliseconds[one])) {
        const bool was_given_up = !waits.empty() && waits[one] > 0;
        const double noise = spreads.empty() ? 0 : spreads[other];
        return !was_given_up || waits[one] > milliseconds[other] + noise;
    }
    const double lead = milliseconds[one] - milliseconds[other];
    return lead > 0 && (spreads.empty() || lead > std::hypot(spreads[one], spreads[other]));
}

PairCounts& PairCounts::operator+=(const PairCounts& other) {
    concordant += other.concordant;
    discordant += other.discordant;
    tied_scores += other.tied_scores;
    tied_runtimes += other.tied_runtimes;
    tied_both += other.tied_both;
    return *this;
}

PairCounts count_pairs(std::span<const float> scores, std::span<const double> runtimes) {
    return count_all(scores, runtimes);
}

PairCounts count_pairs(std::span<const double> scores, std::span<const double> runtimes) {
    return count_all(scores, runtimes);
}

namespace {

template <typename Score>
PairCounts count_known(std::span<const Score> scores, const RankedTimes& times) {
    if (times.spreads.empty() && times.waits.empty())
        return count_all(scores, times.milliseconds);
    PairCounts pairs;
    for (std::size_t one = 0; one < scores.size(); ++one)
        for (std::size_t other = 0; other < one; ++other) {
            const bool is_slower = times.is_slower(one, other);
            const bool is_equal_score = scores[one] == scores[other];
            if (!is_slower && !times.is_slower(other, one))
                ++(is_equal_score ? pairs.tied_both : pairs.tied_runtimes);
            else if (is_equal_score)
                ++pairs.tied_scores;
            else
                ++(is_slower == (scores[one] > scores[other]) ? pairs.concordant : pairs.discordant);
        }
    return pairs;
}

} // namespace

PairCounts count_pairs(std::span<const float> scores, const RankedTimes& times) {
    return count_known(scores, times);
}

PairCounts count_pairs(std::span<const double> scores, const RankedTimes& times) {
    return count_known(scores, times);
}

std::optional<double> kendall_tau_b(const PairCounts& pairs) {
    const auto ordered = static_cast<double>(pairs.concordant + pairs.discordant);
    const double by_scores = ordered + static_cast<double>(pairs.tied_runtimes);
    const double by_runtimes = ordered + static_cast<double>(pairs.tied_scores);
    if (by_scores == 0 || by_runtimes == 0)
        return std::nullopt;
    return static_cast<double>(pairs.concordant - pairs.discordant) / std::sqrt(by_scores * by_runtimes);
}

std::optional<double> ordered_pair_accuracy(const PairCounts& pairs) {
    const std::int64_t comparable = pairs.concordant + pairs.discordant + pairs.tied_scores;
    if (comparable == 0)
        return std::nullopt;
    return (static_cast<double>(pairs.concordant) + 0.5 * static_cast<double>(pairs.tied_scores)) /
           static_cast<double>(comparable);
}

namespace {

/// The places of the quarter that was measured fastest, at least four, as far as so many ran.
std::vector<std::size_t> best_quarter(std::span<const double> milliseconds) {
    constexpr std::size_t fewest = 4;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < milliseconds.size(); ++at)
        if (std::isfinite(milliseconds[at]))
            places.push_back(at);
    std::ranges::stable_sort(places, {}, [&](std::size_t at) { return milliseconds[at]; });
    places.resize(std::min(places.size(), std::max(fewest, milliseconds.size() / 4)));
    return places;
}

template <typename Score>
RankingQuality quality_of(std::span<const Score> scores, const RankedTimes& times) {
    RankingQuality quality;
    quality.pairs = count_known(scores, times.without_noise());
    quality.ordered_pairs = ordered_pair_accuracy(quality.pairs);
    quality.kendall_tau = kendall_tau_b(quality.pairs);
    quality.ordered_pairs_beyond_noise =
        times.spreads.empty() ? quality.ordered_pairs : ordered_pair_accuracy(count_known(scores, times));
    std::vector<Score> best_scores;
    std::vector<double> best_times;
    for (const std::size_t at : best_quarter(times.milliseconds)) {
        best_scores.push_back(scores[at]);
        best_times.push_back(times.milliseconds[at]);
    }
    const PairCounts best = count_all(std::span<const Score>(best_scores), best_times);
    quality.best_quarter_pairs = ordered_pair_accuracy(best);
    quality.best_quarter_tau = kendall_tau_b(best);
    return quality;
}

} // namespace

RankingQuality ranking_quality(std::span<const float> scores, const RankedTimes& times) {
    return quality_of(scores, times);
}

RankingQuality ranking_quality(std::span<const double> scores, const RankedTimes& times) {
    return quality_of(scores, times);
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
