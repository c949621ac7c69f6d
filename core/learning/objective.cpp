#include "learning/objective.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {

namespace {

void define(std::vector<at::Tensor>& gradients, const NamedTensors& parameters) {
    for (std::size_t p = 0; p < gradients.size(); ++p)
        if (!gradients[p].defined())
            gradients[p] = at::zeros_like(parameters.tensors()[p]);
}

std::vector<at::Tensor> differentiate(const at::Tensor& value, const NamedTensors& parameters, bool again) {
    if (!value.requires_grad()) // a term in which nothing is ranked
        return std::vector<at::Tensor>(parameters.size());
    return torch::autograd::grad({value}, parameters.tensors(), {}, again, again, true);
}

} // namespace

Gradient gradient(const Objective& objective, const NamedTensors& parameters) {
    Gradient sum;
    sum.tensors.resize(parameters.size());
    const double share = 1.0 / static_cast<double>(objective.size());
    for (const ObjectiveTerm& term : objective) {
        const at::Tensor value = term(parameters) * share;
        sum.value += value.item<double>();
        const std::vector<at::Tensor> parts = differentiate(value, parameters, false);
        for (std::size_t p = 0; p < parts.size(); ++p)
            if (parts[p].defined())
                sum.tensors[p] = sum.tensors[p].defined() ? sum.tensors[p] + parts[p] : parts[p];
    }
    define(sum.tensors, parameters);
    return sum;
}

Gradient differentiable_gradient(const Objective& objective, const NamedTensors& parameters) {
    at::Tensor sum;
    for (const ObjectiveTerm& term : objective) {
        const at::Tensor value = term(parameters);
        sum = sum.defined() ? sum + value : value;
    }
    sum = sum / static_cast<double>(objective.size());
    Gradient result{sum.item<double>(), differentiate(sum, parameters, true)};
    define(result.tensors, parameters);
    return result;
}

NamedTensors leaves(const NamedTensors& parameters) {
    std::vector<at::Tensor> tensors;
    tensors.reserve(parameters.size());
    for (const at::Tensor& tensor : parameters.tensors())
        tensors.push_back(tensor.detach().clone().set_requires_grad(true));
    return parameters.with(std::move(tensors));
}

bool are_finite(const NamedTensors& parameters) {
    // A sum of squares is finite only where every number is, and it is one look at each.
    return std::ranges::all_of(parameters.tensors(), [](const at::Tensor& tensor) {
        return std::isfinite(tensor.detach().to(at::kDouble).square().sum().item<double>());
    });
}

} // namespace sparsight
