// What a step makes small: a mean of terms, one for each matrix of a batch.
#pragma once

#include "model/named_tensors.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <vector>

namespace sparsight {

/// A scalar that is differentiable in the parameters; as often as the caller needs it.
using ObjectiveTerm = std::function<at::Tensor(const NamedTensors& parameters)>;

/// The mean of its terms; at least one.
using Objective = std::vector<ObjectiveTerm>;

struct Gradient {
    double value = 0; ///< of the objective
    /// One for each parameter, zeros where the objective does not depend on it.
    std::vector<at::Tensor> tensors;
};

/// The graph of one term at a time is held. The parameters require gradients; the gradient does not.
[[nodiscard]] Gradient gradient(const Objective& objective, const NamedTensors& parameters);

/// The gradient is a function of the parameters and may be differentiated again; all graphs are held.
[[nodiscard]] Gradient differentiable_gradient(const Objective& objective, const NamedTensors& parameters);

/// The same numbers as new leaves that require gradients.
[[nodiscard]] NamedTensors leaves(const NamedTensors& parameters);

/// Whether every number is finite.
[[nodiscard]] bool are_finite(const NamedTensors& parameters);

} // namespace sparsight
