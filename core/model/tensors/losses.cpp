#include "model/tensors/losses.h"

#include "base/names.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
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
#include <utility>

namespace sparsight {
namespace {

constexpr std::array loss_names{
    std::pair(Loss::PairwiseMargin, std::string_view("margin")),
    std::pair(Loss::PairwiseLogistic, std::string_view("logistic")),
    std::pair(Loss::ListMle, std::string_view("listmle")),
    std::pair(Loss::LogSquaredError, std::string_view("log-squared")),
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

at::Tensor log_squared_error(const at::Tensor& scores, std::span<const double> milliseconds) {
    at::Tensor logarithms = at::empty({scores.size(0)}, at::TensorOptions(at::kDouble));
    at::Tensor finite = at::zeros({scores.size(0)}, at::TensorOptions(at::kDouble));
    for (std::size_t i = 0; i < milliseconds.size(); ++i) {
        const bool known = std::isfinite(milliseconds[i]);
        logarithms.data_ptr<double>()[i] = known ? std::log(milliseconds[i]) : 0.0;
        finite.data_ptr<double>()[i] = known ? 1.0 : 0.0;
    }
    const at::Tensor counted = finite.to(scores.device(), scores.scalar_type());
    const at::Tensor errors = at::sub(scores, logarithms.to(scores.device(), scores.scalar_type()));
    return errors.mul(errors).mul(counted).sum().div(counted.sum());
}

/// fastest / time of each, 0 where it did not run: [n].
at::Tensor nearness(std::span<const double> milliseconds, const at::Tensor& like) {
    const double fastest = std::ranges::min(milliseconds);
    at::Tensor near = at::zeros({like.size(0)}, at::TensorOptions(at::kDouble));
    for (std::size_t i = 0; i < milliseconds.size(); ++i)
        if (std::isfinite(milliseconds[i]))
            near.data_ptr<double>()[i] = fastest / milliseconds[i];
    return near.to(like.device(), like.scalar_type());
}

at::Tensor top_pairs(const at::Tensor& scores, const at::Tensor& slower,
                     std::span<const double> milliseconds) {
    constexpr double sharpness = 4;
    // No pair of measured times is certain, and a loss that believed so would make scores ever larger.
    constexpr double doubt = 0.02;
    const at::Tensor odds = differences(scores) * sharpness;
    const at::Tensor terms = at::softplus(odds.neg()) + odds * doubt;
    const at::Tensor weights = slower * nearness(milliseconds, scores).unsqueeze(0);
    return terms.mul(weights).sum().div(weights.sum());
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
    if (loss == Loss::LogSquaredError) {
        for (const double runtime : times.milliseconds)
            if (std::isfinite(runtime))
                return log_squared_error(scores, times.milliseconds);
        return nothing(scores);
    }
    const at::Tensor slower = slower_pairs(times, scores);
    const at::Tensor pairs = slower.sum();
    if (pairs.item<double>() == 0)
        return nothing(scores);
    if (loss == Loss::ListMle)
        return list_mle(scores, slower);
    if (loss == Loss::TopPairs)
        return top_pairs(scores, slower, times.milliseconds);
    const at::Tensor terms = loss == Loss::PairwiseMargin
                                 ? at::relu(at::rsub(differences(scores), pairwise_margin))
                                 : at::softplus(differences(scores).neg());
    return terms.mul(slower).sum().div(pairs);
}

} // namespace sparsight
