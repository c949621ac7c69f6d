#include "learning/training/closed_form.h"

#include "model/networks/gray_box.h"

#include <ATen/ops/diag_embed.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <cmath>

namespace sparsight {
namespace {

// Where the learned logarithms start: at these a workload of 100 configurations counts as 12 rows.
constexpr double first_log_precision = 1;
constexpr double first_log_noise = 2.5;

at::Tensor centred(const at::Tensor& rows, const at::Tensor& weights) {
    return rows - at::matmul(weights, rows);
}

/// ΦᵀVΦ and ΦᵀVy, summed over workloads; undefined where there are none.
struct Moments {
    at::Tensor squares;
    at::Tensor products;
};

Moments moments_of(const NamedTensors& parameters, const std::vector<LinearTerm>& support) {
    Moments sum;
    for (const LinearTerm& term : support) {
        const LinearRows rows = term(parameters);
        if (rows.residuals.size(0) < 2)
            continue;
        const at::Tensor weights = (rows.weights / rows.weights.sum()).to(rows.inputs.scalar_type());
        const at::Tensor inputs = centred(rows.inputs, weights);
        const at::Tensor weighed = (inputs * weights.unsqueeze(1)).t();
        const at::Tensor squares = at::matmul(weighed, inputs);
        const at::Tensor products = at::matmul(weighed, centred(rows.residuals, weights));
        sum.squares = sum.squares.defined() ? sum.squares + squares : squares;
        sum.products = sum.products.defined() ? sum.products + products : products;
    }
    return sum;
}

at::Tensor noise_of(const NamedTensors& parameters) {
    return (parameters[head_log_noise] + first_log_noise).exp();
}

} // namespace

double weight_of_slower(double factor) {
    return 1 / std::sqrt(factor);
}

at::Tensor prior_precision(const NamedTensors& parameters) {
    return at::diag_embed((parameters[head_log_precision] + first_log_precision).exp()).to(at::kDouble);
}

at::Tensor information(const NamedTensors& parameters, const std::vector<LinearTerm>& rows) {
    const Moments moments = moments_of(parameters, rows);
    if (!moments.squares.defined())
        return at::zeros_like(prior_precision(parameters));
    return (noise_of(parameters) * moments.squares).to(at::kDouble);
}

NamedTensors with_posterior_head(const NamedTensors& parameters, const std::vector<LinearTerm>& support) {
    const Moments moments = moments_of(parameters, support);
    // In doubles: the precisions of inputs that are alike are badly conditioned.
    at::Tensor precision = prior_precision(parameters);
    const bool has_rows = moments.squares.defined();
    if (has_rows)
        precision = precision + (noise_of(parameters) * moments.squares).to(at::kDouble);
    const at::Tensor covariance = at::linalg_inv(precision);
    const at::Tensor mean =
        has_rows ? at::matmul(covariance, (noise_of(parameters) * moments.products).to(at::kDouble))
                 : at::zeros_like(parameters[head_weight].detach());
    std::vector<at::Tensor> tensors = parameters.tensors();
    for (std::size_t at = 0; at < tensors.size(); ++at) {
        if (parameters.names()[at] == head_weight)
            tensors[at] = mean.to(tensors[at].scalar_type());
        if (parameters.names()[at] == head_covariance)
            tensors[at] = covariance.to(tensors[at].scalar_type());
    }
    return parameters.with(std::move(tensors));
}

} // namespace sparsight
