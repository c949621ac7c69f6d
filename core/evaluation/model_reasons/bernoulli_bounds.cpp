#include "evaluation/model_reasons/bernoulli_bounds.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr int halvings = 40;

/// x · log(x / y), continued to its limits.
double weighed_log(double x, double y) {
    return x <= 0 ? 0 : x * std::log(x / y);
}

/// Between `inside`, where the divergence from p is small enough, and `outside`, where it is too large.
double farthest(double p, double inside, double outside, double level) {
    for (int step = 0; step < halvings; ++step) {
        const double middle = (inside + outside) / 2;
        (coin_divergence(p, middle) <= level ? inside : outside) = middle;
    }
    return inside;
}

} // namespace

double coin_divergence(double p, double q) {
    return weighed_log(p, q) + weighed_log(1 - p, 1 - q);
}

BoundedShare divergence_bounds(std::int64_t successes, std::int64_t draws, double level) {
    if (draws == 0)
        return {};
    const double share = static_cast<double>(successes) / static_cast<double>(draws);
    const double level_each = level / static_cast<double>(draws);
    return {share, farthest(share, share, 0, level_each), farthest(share, share, 1, level_each), draws};
}

BoundedShare chernoff_bounds(std::int64_t successes, std::int64_t draws, double confidence) {
    return divergence_bounds(successes, draws, std::log(2 / (1 - confidence)));
}

BoundedShare wilson_bounds(std::int64_t successes, std::int64_t draws) {
    if (draws == 0)
        return {};
    constexpr double z = 1.959964;
    const auto n = static_cast<double>(draws);
    const double share = static_cast<double>(successes) / n;
    const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return {share, std::max(0.0, middle - half), std::min(1.0, middle + half), draws};
}

} // namespace sparsight
