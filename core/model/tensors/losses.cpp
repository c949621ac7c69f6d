#include "model/tensors/losses.h"

#include "base/names.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

constexpr std::array loss_names{
    std::pair(Loss::PairwiseMargin, std::string_view("margin")),
    std::pair(Loss::PairwiseLogistic, std::string_view("logistic")),
    std::pair(Loss::ListMle, std::string_view("listmle")),
    std::pair(Loss::LogSquaredError, std::string_view("log-squared")),
    std::pair(Loss::RelativeError, std::string_view("relative")),
    std::pair(Loss::TopPairs, std::string_view("top")),
};

/// Depends on the scores, so that a step without anything to learn from needs no exception.
at::Tensor nothing(const at::Tensor& scores) {
    return scores.mul(0).sum();
}

/// fᵢ − fⱼ at [i, j].
at::Tensor differences(const at::Tensor& scores) {
    return at::sub(scores.unsqueeze(1), scores.unsqueeze(0));
}

at::Tensor list_mle(const at::Tensor& scores, const at::Tensor& slower) {
    // Row i: i itself and all that are slower; the others weigh exp(−∞) = 0.
    const at::Tensor competes = slower.t().add(at::eye(scores.size(0), slower.options()));
    const at::Tensor gains = scores.neg().unsqueeze(0).expand_as(competes).masked_fill(
        competes.eq(0), -std::numeric_limits<double>::infinity());
    const at::Tensor terms = at::logsumexp(gains, {1}).add(scores);
    const at::Tensor counted = slower.sum(0).gt(0).to(scores.scalar_type());
    return terms.mul(counted).sum().div(counted.sum());
}

/// Of f − ln milliseconds, each by itself.
at::Tensor time_errors(Loss loss, const at::Tensor& differences) {
    if (loss == Loss::LogSquaredError)
        return differences.mul(differences);
    const at::Tensor relative = differences.clamp_max(1).expm1().abs();
    return relative.add(at::relu(differences.sub(1)).mul(std::numbers::e));
}

/// Of predicted times.
at::Tensor mean_time_error(Loss loss, const at::Tensor& scores, std::span<const double> milliseconds) {
    at::Tensor logarithms = at::empty({scores.size(0)}, at::TensorOptions(at::kDouble));
    at::Tensor finite = at::zeros({scores.size(0)}, at::TensorOptions(at::kDouble));
    for (std::size_t i = 0; i < milliseconds.size(); ++i) {
        const bool known = std::isfinite(milliseconds[i]);
        logarithms.data_ptr<double>()[i] = known ? std::log(milliseconds[i]) : 0.0;
        finite.data_ptr<double>()[i] = known ? 1.0 : 0.0;
    }
    const at::Tensor counted = finite.to(scores.device(), scores.scalar_type());
    const at::Tensor errors = at::sub(scores, logarithms.to(scores.device(), scores.scalar_type()));
    return time_errors(loss, errors).mul(counted).sum().div(counted.sum());
}

/// Of Φ, the distribution of a normal number.
double normal_distribution(double deviations) {
    return std::erfc(-deviations / std::numbers::sqrt2) / 2;
}

/// How probable it is that one configuration is slower than another, and how much that counts: [n, n].
struct TopPairTargets {
    std::vector<float> probabilities;
    std::vector<float> weights;
};

TopPairTargets top_pair_targets(const RankedTimes& times) {
    constexpr double least_doubt = 0.01;      // of ln time, beside the scatter of the runs
    constexpr double clear_lead = 0.1;        // of ln time: smaller ones count less, what they cost is little
    constexpr double most_of_failures = 0.15; // of the weight of all others
    const std::size_t count = times.milliseconds.size();
    const double fastest = std::ranges::min(times.milliseconds);
    const auto doubt_of = [&](std::size_t i) {
        return times.spreads.empty() ? 0 : times.spreads[i] / times.milliseconds[i] / 2;
    };
    TopPairTargets targets{std::vector<float>(count * count), std::vector<float>(count * count)};
    std::vector<std::size_t> of_failures;
    double among_times = 0;
    double among_failures = 0;
    for (std::size_t slow = 0; slow < count; ++slow)
        for (std::size_t fast = 0; fast < count; ++fast) {
            const double nearness = fastest / times.milliseconds[fast];
            double probability = 1;
            double weight = 0;
            if (std::isfinite(times.milliseconds[slow]) &&
                times.milliseconds[slow] > times.milliseconds[fast]) {
                const double lead = std::log(times.milliseconds[slow] / times.milliseconds[fast]);
                probability =
                    normal_distribution(lead / (std::hypot(doubt_of(slow), doubt_of(fast)) + least_doubt));
                weight = nearness * std::min(1.0, lead / clear_lead);
                among_times += weight;
            } else if (!std::isfinite(times.milliseconds[slow]) && times.is_slower(slow, fast)) {
                weight = nearness;
                among_failures += weight;
                of_failures.push_back(slow * count + fast);
            }
            targets.probabilities[slow * count + fast] = static_cast<float>(probability);
            targets.weights[slow * count + fast] = static_cast<float>(weight);
        }
    if (among_times > 0 && among_failures > most_of_failures * among_times)
        for (const std::size_t at : of_failures)
            targets.weights[at] *= static_cast<float>(most_of_failures * among_times / among_failures);
    return targets;
}

at::Tensor top_pairs(const at::Tensor& scores, const RankedTimes& times) {
    if (times.milliseconds.empty())
        return nothing(scores);
    TopPairTargets targets = top_pair_targets(times);
    const auto square = [&](std::vector<float>& numbers) {
        return at::from_blob(numbers.data(), {scores.size(0), scores.size(0)}, at::TensorOptions(at::kFloat))
            .to(scores.device(), scores.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    };
    const at::Tensor weights = square(targets.weights);
    const at::Tensor total = weights.sum();
    if (total.item<double>() == 0)
        return nothing(scores);
    const at::Tensor odds = differences(scores) * top_pairs_sharpness;
    const at::Tensor terms = at::softplus(odds.neg()) + odds * (1 - square(targets.probabilities));
    return terms.mul(weights).sum().div(total);
}

} // namespace

std::string_view name(Loss loss) {
    return name_in(loss_names, loss);
}

std::optional<Loss> parse_loss(std::string_view text) {
    return value_in(loss_names, text);
}

at::Tensor slower_pairs(const RankedTimes& times, const at::Tensor& like) {
    const std::size_t count = times.milliseconds.size();
    const auto extent = static_cast<std::int64_t>(count);
    at::Tensor slower = at::empty({extent, extent}, at::TensorOptions(at::kFloat));
    float* entry = slower.data_ptr<float>();
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            *entry++ = times.is_slower(i, j) ? 1.0F : 0.0F;
    return slower.to(like.device(), like.scalar_type());
}

at::Tensor ranking_loss(Loss loss, const at::Tensor& scores, const RankedTimes& times) {
    if (predicts_times(loss)) {
        for (const double runtime : times.milliseconds)
            if (std::isfinite(runtime))
                return mean_time_error(loss, scores, times.milliseconds);
        return nothing(scores);
    }
    if (loss == Loss::TopPairs)
        return top_pairs(scores, times);
    const at::Tensor slower = slower_pairs(times, scores);
    const at::Tensor pairs = slower.sum();
    if (pairs.item<double>() == 0)
        return nothing(scores);
    if (loss == Loss::ListMle)
        return list_mle(scores, slower);
    const at::Tensor terms = loss == Loss::PairwiseMargin
                                 ? at::relu(at::rsub(differences(scores), pairwise_margin))
                                 : at::softplus(differences(scores).neg());
    return terms.mul(slower).sum().div(pairs);
}

} // namespace sparsight
