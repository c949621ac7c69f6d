#include "evaluation/model_reasons/bernoulli_bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sparsight {

namespace {

constexpr int halvings = 40;
constexpr double alpha = 1.1;

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

/// log(k₁ K tᵅ / δ).
double logarithmic_rate(double k1, std::size_t arms, std::size_t time, double confidence) {
    return std::log(k1 * static_cast<double>(arms) * std::pow(static_cast<double>(time), alpha) /
                    (1 - confidence));
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

double lucb_level(std::size_t arms, std::size_t round, double confidence) {
    constexpr double e = std::numbers::e;
    constexpr double k1 = 2 * e + 1 + e / (alpha - 1) + (e + 1) / ((alpha - 1) * (alpha - 1)) + 0.1;
    const double rate = logarithmic_rate(k1, arms, round, confidence);
    return rate + std::log(rate);
}

double anytime_level(std::size_t arms, std::size_t batches, double confidence) {
    constexpr double k1 = 1 + 1 / (alpha - 1) + 0.1;
    return logarithmic_rate(k1, arms, batches, confidence);
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
