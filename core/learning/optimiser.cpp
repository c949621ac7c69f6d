#include "learning/optimiser.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addcdiv.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <cmath>

namespace sparsight {

AdamState initial_adam(const NamedTensors& parameters) {
    AdamState state;
    for (const at::Tensor& parameter : parameters.tensors()) {
        state.first.push_back(at::zeros_like(parameter.detach()));
        state.second.push_back(at::zeros_like(parameter.detach()));
    }
    return state;
}

AdamStep adam_step(const AdamOptions& options, double rate, const NamedTensors& parameters,
                   std::span<const at::Tensor> gradients, const AdamState& state) {
    const c10::AutoGradMode no_graph(false);
    AdamStep next;
    next.state.steps = state.steps + 1;
    const auto steps = static_cast<double>(next.state.steps);
    const double first_bias = 1 - std::pow(options.first_decay, steps);
    const double second_bias = std::sqrt(1 - std::pow(options.second_decay, steps));
    std::vector<at::Tensor> tensors;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const at::Tensor& g = gradients[p];
        const at::Tensor first = state.first[p] * options.first_decay + g * (1 - options.first_decay);
        const at::Tensor second = state.second[p] * options.second_decay + g * g * (1 - options.second_decay);
        const at::Tensor scale = at::sqrt(second) / second_bias + options.epsilon;
        const at::Tensor decayed = parameters.tensors()[p].detach() * (1 - rate * options.weight_decay);
        tensors.push_back(at::addcdiv(decayed, first, scale, -rate / first_bias).set_requires_grad(true));
        next.state.first.push_back(first);
        next.state.second.push_back(second);
    }
    next.parameters = parameters.with(std::move(tensors));
    return next;
}

double gradient_norm(std::span<const at::Tensor> gradients) {
    double squares = 0;
    for (const at::Tensor& g : gradients)
        squares += g.detach().square().sum().item<double>();
    return std::sqrt(squares);
}

double clip_gradients(std::vector<at::Tensor>& gradients, double longest) {
    const double norm = gradient_norm(gradients);
    if (longest > 0 && norm > longest)
        for (at::Tensor& g : gradients)
            g = g * (longest / norm);
    return norm;
}

} // namespace sparsight
