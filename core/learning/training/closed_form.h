// The weights of a gray box's head (model/networks/gray_box.h) from a few measurements, in closed form: ridge
// regression whose prior and noise are learned, through which gradients flow. Meta-learning by it needs no
// inner steps (Bertinetto et al.: Meta-learning with differentiable closed-form solvers, ICLR 2019), and the
// posterior tells how sure it is (Harrison, Sharma, Pavone: Meta-learning priors for efficient online
// Bayesian regression, WAFR 2018).
#pragma once

#include "model/tensors/named_tensors.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <vector>

namespace sparsight {

/// Measured configurations of one workload. Only differences within a workload count: inputs and residuals
/// are centred by the weights.
struct LinearRows {
    at::Tensor inputs;    ///< of the head: [n, inputs]
    at::Tensor residuals; ///< ln of measured time − offset: [n]
    at::Tensor weights;   ///< [n]; of any sum
    at::Tensor times{};   ///< ln of measured time: [n]; solving for the head needs none
};

/// Differentiable in the parameters; may be called more than once.
using LinearTerm = std::function<LinearRows(const NamedTensors& parameters)>;

/// How much a configuration counts that is `factor` times as slow as the fastest of its workload: those near
/// the fastest are what a search asks about.
[[nodiscard]] double weight_of_slower(double factor);

/// The parameters with the posterior mean as the weights of the head, and its covariance; those of the prior
/// where there are no rows. They do not depend on the weights of the head before. With Φ and y of all
/// workloads, V their weights, each workload of sum 1:
///
///   Σ⁻¹ = diag(precision) + noise ΦᵀVΦ,    w = Σ noise ΦᵀVy
///
/// The prior's mean is 0, the simulator alone. The graph is kept where `parameters` require gradients.
[[nodiscard]] NamedTensors with_posterior_head(const NamedTensors& parameters,
                                               const std::vector<LinearTerm>& support);

// The two parts of that precision Σ⁻¹, in doubles: [inputs, inputs].

[[nodiscard]] at::Tensor prior_precision(const NamedTensors& parameters);
/// What rows would tell, whatever their residuals: noise ΦᵀVΦ. Of at least one term.
[[nodiscard]] at::Tensor information(const NamedTensors& parameters, const std::vector<LinearTerm>& rows);

} // namespace sparsight
