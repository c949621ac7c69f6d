#include "learning/blend_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace sparsight {
namespace {

constexpr int directions = 90;             // between the simulator alone and the network alone
constexpr std::size_t most_pairs = 20'000; // of a matrix
// Of the weights, where the typical difference is 1: with few examples all may be in order, and no length is
// long enough.
constexpr double longest = 10;
constexpr double shortest = 1e-6; // below it no length is learned
constexpr int most_steps = 60;
constexpr double rounding = 1e-12; // of a share

/// What the slower schedule of a pair has more than the faster one, and how much the pair counts.
struct Pair {
    double network = 0;
    double simulator = 0;
    double share = 0;
};

bool is_slower(const BlendExamples& matrix, std::size_t one, std::size_t other) {
    const double spread = matrix.spreads.empty() ? 0 : matrix.spreads[one] + matrix.spreads[other];
    return matrix.milliseconds[one] > matrix.milliseconds[other] + spread;
}

void for_each_pair(const BlendExamples& matrix, const auto& visit) {
    if (matrix.milliseconds.empty())
        return;
    const double fastest = std::ranges::min(matrix.milliseconds);
    for (std::size_t slow = 0; slow < matrix.milliseconds.size(); ++slow)
        for (std::size_t fast = 0; fast < matrix.milliseconds.size(); ++fast) {
            const Pair pair{matrix.network[slow] - matrix.network[fast],
                            matrix.log_simulated[slow] - matrix.log_simulated[fast],
                            fastest / matrix.milliseconds[fast]};
            if (is_slower(matrix, slow, fast) && std::isfinite(pair.network) && std::isfinite(pair.simulator))
                visit(pair);
        }
}

/// Spread evenly over all that there are; of thousands of schedules those would not fit into memory.
std::vector<Pair> pairs_of(const BlendExamples& matrix) {
    std::size_t count = 0;
    for_each_pair(matrix, [&](const Pair&) { ++count; });
    const std::size_t kept = std::min(count, most_pairs);
    std::vector<Pair> pairs;
    pairs.reserve(kept);
    std::size_t at = 0;
    for_each_pair(matrix, [&](const Pair& pair) {
        if (pairs.size() < kept && at++ == pairs.size() * count / kept)
            pairs.push_back(pair);
    });
    double sum = 0;
    for (const Pair& pair : pairs)
        sum += pair.share;
    for (Pair& pair : pairs)
        pair.share /= sum;
    return pairs;
}

/// 1 where half of them never differ.
double median_difference(std::span<const Pair> pairs, double Pair::* of) {
    std::vector<double> sizes;
    for (const Pair& pair : pairs)
        sizes.push_back(std::abs(pair.*of));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::ranges::nth_element(sizes, middle);
    return *middle > 0 ? *middle : 1;
}

/// Equal scores are half right, as a guess would be.
double share_in_order(std::span<const Pair> pairs, const BlendWeights& weights) {
    double share = 0;
    for (const Pair& pair : pairs) {
        const double margin = weights.network * pair.network + weights.simulator * pair.simulator;
        share += margin > 0 ? pair.share : margin == 0 ? pair.share / 2 : 0;
    }
    return share;
}

/// By bisection on the derivative, which only grows with the length.
double best_length(std::span<const Pair> pairs, const BlendWeights& direction) {
    const auto slope = [&](double length) {
        double sum = 0;
        for (const Pair& pair : pairs) {
            const double margin = direction.network * pair.network + direction.simulator * pair.simulator;
            sum -= pair.share * margin / (1 + std::exp(length * margin));
        }
        return sum;
    };
    double low = 0;
    double high = longest;
    for (int step = 0; step < most_steps; ++step) {
        const double middle = (low + high) / 2;
        (slope(middle) < 0 ? low : high) = middle;
    }
    return high;
}

/// Of each direction a share in order for each family of matrices.
using SharesByDirection = std::vector<std::vector<double>>;

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

/// In the order in which they come first.
std::vector<double> means_of_families(const std::vector<double>& by_matrix,
                                      const std::vector<std::optional<std::size_t>>& families) {
    std::vector<double> means;
    for (std::size_t at = 0; at < families.size(); ++at) {
        const auto is_sibling = [&](std::size_t other) {
            return other == at || (families[at] && families[other] == families[at]);
        };
        std::vector<double> own;
        bool is_first = true;
        for (std::size_t other = 0; other < families.size(); ++other)
            if (is_sibling(other)) {
                is_first = is_first && other >= at;
                own.push_back(by_matrix[other]);
            }
        if (is_first)
            means.push_back(mean_of(own));
    }
    return means;
}

/// Whether it is behind the best by no more than one standard error of their difference.
bool is_as_good(const std::vector<double>& shares, const std::vector<double>& best) {
    const auto count = static_cast<double>(best.size());
    const double behind = mean_of(best) - mean_of(shares);
    if (best.size() < 2)
        return behind <= rounding;
    double squares = 0;
    for (std::size_t at = 0; at < best.size(); ++at)
        squares += std::pow(best[at] - shares[at] - behind, 2);
    return behind <= std::sqrt(squares / (count - 1) / count) + rounding;
}

std::size_t chosen_direction(const SharesByDirection& shares) {
    std::vector<double> means;
    for (const std::vector<double>& each : shares)
        means.push_back(mean_of(each));
    const std::size_t simulator = 0;
    const std::size_t network = shares.size() - 1;
    const auto best = static_cast<std::size_t>(std::ranges::max_element(means) - means.begin());
    if (means[simulator] >= means[network] && is_as_good(shares[simulator], shares[best]))
        return simulator;
    if (means[network] >= means[simulator] && is_as_good(shares[network], shares[best]))
        return network;
    const double alone = std::max(means[simulator], means[network]);
    const auto is_near = [&](std::size_t direction) {
        return means[direction] >= alone && is_as_good(shares[direction], shares[best]);
    };
    std::size_t first = best;
    std::size_t last = best;
    while (first > simulator + 1 && is_near(first - 1))
        --first;
    while (last + 1 < network && is_near(last + 1))
        ++last;
    return (first + last) / 2;
}

} // namespace

BlendFit fit_blend_weights(std::span<const BlendExamples> matrices) {
    std::vector<Pair> pairs;
    std::vector<std::span<const Pair>> by_matrix;
    std::vector<std::size_t> counts;
    std::vector<std::optional<std::size_t>> families;
    for (const BlendExamples& matrix : matrices) {
        const std::vector<Pair> own = pairs_of(matrix);
        if (own.empty())
            continue;
        pairs.insert(pairs.end(), own.begin(), own.end());
        counts.push_back(own.size());
        families.push_back(matrix.family);
    }
    if (pairs.empty())
        return {};
    for (std::size_t begin = 0; const std::size_t count : counts) {
        by_matrix.push_back(std::span(pairs).subspan(begin, count));
        begin += count;
    }
    const double network = median_difference(pairs, &Pair::network);
    const double simulator = median_difference(pairs, &Pair::simulator);
    std::vector<BlendWeights> weights;
    SharesByDirection shares;
    for (int direction = 0; direction <= directions; ++direction) {
        const double angle = std::numbers::pi / 2 * direction / directions;
        weights.push_back({direction == 0 ? 0 : std::sin(angle) / network,
                           direction == directions ? 0 : std::cos(angle) / simulator});
        std::vector<double> own;
        for (const std::span<const Pair> matrix : by_matrix)
            own.push_back(share_in_order(matrix, weights.back()));
        shares.push_back(means_of_families(own, families));
    }
    const std::size_t chosen = chosen_direction(shares);
    const BlendWeights direction = weights[chosen];
    const double of_network = direction.network * network;
    BlendFit fit{.weights = {},
                 .network_share = of_network / (of_network + direction.simulator * simulator),
                 .network_in_order = mean_of(shares.back()),
                 .simulator_in_order = mean_of(shares.front()),
                 .in_order = mean_of(shares[chosen]),
                 .matrices = by_matrix.size(),
                 .families = shares.front().size()};
    const double length = best_length(pairs, direction);
    fit.is_learned = length >= shortest;
    if (fit.is_learned) {
        fit.weights = {direction.network * length, direction.simulator * length};
    } else {
        fit.network_share = 0;
        fit.in_order = fit.simulator_in_order;
    }
    return fit;
}

} // namespace sparsight
