// Adam as a pure function: parameters and their gradients go in with what is remembered of earlier steps, new
// ones come out (Kingma and Ba: Adam, ICLR 2015; the weight decay is Loshchilov and Hutter's, decoupled
// weight decay regularisation, ICLR 2019).
#pragma once

#include "model/named_tensors.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

struct AdamOptions {
    double first_decay = 0.9;
    double second_decay = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0; ///< share of a parameter that a step at rate 1 takes away
};

struct AdamState {
    std::int64_t steps = 0;
    std::vector<at::Tensor> first;  ///< running means of the gradients; like the parameters
    std::vector<at::Tensor> second; ///< … of their squares
};

[[nodiscard]] AdamState initial_adam(const NamedTensors& parameters);

struct AdamStep {
    NamedTensors parameters; ///< leaves that require gradients
    AdamState state;
};

/// `rate` > 0 is the length of the step.
[[nodiscard]] AdamStep adam_step(const AdamOptions& options, double rate, const NamedTensors& parameters,
                                 std::span<const at::Tensor> gradients, const AdamState& state);

/// √ Σ g² over all tensors together.
[[nodiscard]] double gradient_norm(std::span<const at::Tensor> gradients);

/// Scales all gradients by one factor so that their norm is at most `longest` (Pascanu et al., ICML 2013); 0
/// leaves them alone. Returns the norm that they had.
double clip_gradients(std::vector<at::Tensor>& gradients, double longest);

} // namespace sparsight
