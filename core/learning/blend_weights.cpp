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
constexpr double shortest = 1e-6; // below it nothing is learned
constexpr int most_steps = 60;

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

} // namespace

BlendWeights fit_blend_weights(std::span<const BlendExamples> matrices) {
    std::vector<Pair> pairs;
    for (const BlendExamples& matrix : matrices) {
        const std::vector<Pair> own = pairs_of(matrix);
        pairs.insert(pairs.end(), own.begin(), own.end());
    }
    if (pairs.empty())
        return {};
    const double network = median_difference(pairs, &Pair::network);
    const double simulator = median_difference(pairs, &Pair::simulator);
    BlendWeights best;
    double most = -1;
    for (int direction = 0; direction <= directions; ++direction) {
        const double angle = std::numbers::pi / 2 * direction / directions;
        const BlendWeights weights{direction == 0 ? 0 : std::sin(angle) / network,
                                   direction == directions ? 0 : std::cos(angle) / simulator};
        if (const double share = share_in_order(pairs, weights); share > most) {
            most = share;
            best = weights;
        }
    }
    const double length = best_length(pairs, best);
    if (length < shortest)
        return {};
    return {best.network * length, best.simulator * length};
}

} // namespace sparsight
