// What a network is trained to make small, given its scores of several configurations of one workload and
// what they took. A lower score means "faster".
#pragma once

#include "study/ranking_metrics.h"

#include <ATen/core/Tensor.h>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {

enum class Loss {
    /// Mean over the ranked pairs, i slower than j, of max(0, 1 − (fᵢ − fⱼ)): WACO's, with its margin of 1.
    PairwiseMargin,
    /// Mean over the ranked pairs of log(1 + exp(−(fᵢ − fⱼ))) (Burges et al.: Learning to rank using gradient
    /// descent, ICML 2005).
    PairwiseLogistic,
    /// Mean over the configurations with a slower one of −log(exp(−fᵢ) / Σ exp(−fⱼ)), the sum over i itself
    /// and all that are slower (Xia et al.: Listwise approach to learning to rank, ICML 2008). Without ties
    /// this
    /// is ListMLE over the positions that are not trivial; configurations that are not ranked do not compete.
    ListMle,
    /// Mean over the finite runtimes of (f − ln milliseconds)².
    LogSquaredError,
    /// Mean over the finite runtimes of |exp(f − ln milliseconds) − 1|, the relative error of the predicted
    /// time; linear in f where the prediction is more than e times too long, so that no gradient explodes.
    RelativeError,
    /// The weighed mean over the pairs of the cross entropy of their order, of scores that are logarithms of
    /// times: the odds of "i is slower" are exp(4 (fᵢ − fⱼ)), and its probability follows from the difference
    /// of the times and their scatter, so that near pairs teach how near they are. A pair weighs by how close
    /// its faster configuration comes to the fastest of all, fastest / faster, for what is chosen are those;
    /// less where it is closer than 10 %; and all pairs of a failure and a time at most 15 % of the others.
    TopPairs,
};

/// Whether scores are to be ln(milliseconds) themselves, so that one configuration has something to teach.
[[nodiscard]] constexpr bool predicts_times(Loss loss) {
    return loss == Loss::LogSquaredError || loss == Loss::RelativeError;
}

inline constexpr double pairwise_margin = 1.0;
/// Of TopPairs: the logarithm of the odds where one time is e times the other.
inline constexpr double top_pairs_sharpness = 4;

/// "margin", "logistic", "listmle", "log-squared", "relative", "top".
[[nodiscard]] std::string_view name(Loss loss);
[[nodiscard]] std::optional<Loss> parse_loss(std::string_view text);

/// [n, n] of 0 and 1: whether configuration i is known to be slower than j (RankedTimes::is_slower()). On the
/// device and of the type of `like`.
[[nodiscard]] at::Tensor slower_pairs(const RankedTimes& times, const at::Tensor& like);

/// scores [n], and as many times. A scalar, 0 (with zero gradients) where nothing is ranked. Differentiable
/// twice wherever it is smooth.
[[nodiscard]] at::Tensor ranking_loss(Loss loss, const at::Tensor& scores, const RankedTimes& times);

} // namespace sparsight
