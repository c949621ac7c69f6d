#include "learning/training/learning_method.h"

#include "base/names.h"
#include "model/networks/gray_box.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addcdiv.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <array>
#include <c10/core/GradMode.h>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>
#include <utility>

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
    // A sum of squares is finite only where every number is, and it reads each number once.
    return std::ranges::all_of(parameters.tensors(), [](const at::Tensor& tensor) {
        return std::isfinite(tensor.detach().to(at::kDouble).square().sum().item<double>());
    });
}

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

namespace {

constexpr std::array<std::pair<Method, std::string_view>, 8> names{{
    {Method::Supervised, "supervised"},
    {Method::Maml, "maml"},
    {Method::Fomaml, "fomaml"},
    {Method::Reptile, "reptile"},
    {Method::Anil, "anil"},
    {Method::MetaSgd, "meta-sgd"},
    {Method::Report, "report"},
    {Method::ClosedForm, "closed-form"},
}};

bool is_second_order(Method method) {
    return method == Method::Maml || method == Method::Anil || method == Method::MetaSgd;
}

/// θ − α g, for the parameters that adapt.
NamedTensors moved(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                   const std::vector<at::Tensor>& gradients) {
    const NamedTensors& weights = parameters.weights;
    std::vector<at::Tensor> next = weights.tensors();
    for (std::size_t p = 0; p < next.size(); ++p) {
        if (!adapts(method, weights.names()[p]))
            continue;
        next[p] = next[p] - (parameters.rates ? parameters.rates->tensors()[p] * gradients[p]
                                              : gradients[p] * loop.rate);
    }
    return weights.with(std::move(next));
}

/// The graph from the last step back to `parameters` is kept.
NamedTensors adapt_differentiably(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                                  const Objective& support) {
    MetaParameters here = parameters;
    for (int step = 0; step < loop.steps; ++step)
        here.weights = moved(method, loop, here, differentiable_gradient(support, here.weights).tensors);
    return here.weights;
}

/// The gradient of the query loss through what made the adapted weights of the parameters.
MetaGradient through_adaptation(const MetaParameters& parameters, const NamedTensors& adapted,
                                const Objective& query) {
    std::vector<at::Tensor> inputs = parameters.weights.tensors();
    if (parameters.rates)
        inputs.insert(inputs.end(), parameters.rates->tensors().begin(), parameters.rates->tensors().end());
    MetaGradient result;
    const double share = 1.0 / static_cast<double>(query.size());
    std::vector<at::Tensor> sums(inputs.size());
    for (std::size_t t = 0; t < query.size(); ++t) {
        const at::Tensor value = query[t](adapted) * share;
        result.query_loss += value.item<double>();
        if (!value.requires_grad()) // nothing is ranked
            continue;
        const bool more = t + 1 < query.size(); // which go through the same inner graph
        const std::vector<at::Tensor> parts = torch::autograd::grad({value}, inputs, {}, more, false, true);
        for (std::size_t p = 0; p < parts.size(); ++p)
            if (parts[p].defined())
                sums[p] = sums[p].defined() ? sums[p] + parts[p] : parts[p];
    }
    for (std::size_t p = 0; p < sums.size(); ++p)
        if (!sums[p].defined())
            sums[p] = at::full_like(inputs[p].detach(), 0);
    const auto weights = static_cast<std::ptrdiff_t>(parameters.weights.size());
    result.weights.assign(sums.begin(), sums.begin() + weights);
    result.rates.assign(sums.begin() + weights, sums.end());
    return result;
}

MetaGradient where_the_inner_loop_ends(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                                       const Episode& episode) {
    Gradient at_the_end = gradient(episode.query, adapt(method, loop, parameters, episode));
    return {at_the_end.value, std::move(at_the_end.tensors), {}};
}

MetaGradient towards_the_end(const InnerLoop& loop, const MetaParameters& parameters,
                             const Episode& episode) {
    Episode all{episode.support, {}};
    all.support.insert(all.support.end(), episode.query.begin(), episode.query.end());
    const NamedTensors adapted = adapt(Method::Reptile, loop, parameters, all);
    MetaGradient result;
    result.query_loss = gradient(episode.query, adapted).value;
    for (std::size_t p = 0; p < adapted.size(); ++p)
        result.weights.push_back((parameters.weights.tensors()[p].detach() - adapted.tensors()[p].detach()) /
                                 loop.rate);
    return result;
}

} // namespace

std::string_view name(Method method) {
    return name_in(names, method);
}

std::optional<Method> parse_method(std::string_view text) {
    return value_in(names, text);
}

MetaParameters initial_meta_parameters(Method method, const InnerLoop& loop, NamedTensors weights) {
    MetaParameters parameters{leaves(weights), std::nullopt};
    if (method != Method::MetaSgd)
        return parameters;
    std::vector<at::Tensor> rates;
    for (const at::Tensor& weight : parameters.weights.tensors())
        rates.push_back(at::full_like(weight.detach(), loop.rate).set_requires_grad(true));
    parameters.rates = parameters.weights.with(std::move(rates));
    return parameters;
}

bool adapts(Method method, std::string_view parameter) {
    return method != Method::Anil || parameter.starts_with("final.") || parameter == head_weight;
}

InnerStep inner_step(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                     const Objective& support) {
    const Gradient found = gradient(support, parameters.weights);
    return {found.value, leaves(moved(method, loop, parameters, found.tensors))};
}

NamedTensors adapt(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                   const Episode& episode) {
    if (method == Method::ClosedForm) {
        const c10::AutoGradMode no_graph(false);
        return leaves(with_posterior_head(parameters.weights, episode.rows));
    }
    MetaParameters here{leaves(parameters.weights), parameters.rates};
    for (int step = 0; step < loop.steps; ++step)
        here.weights = inner_step(method, loop, here, episode.support).weights;
    return here.weights;
}

MetaGradient meta_gradient(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                           const Episode& episode) {
    if (method == Method::Supervised) {
        Gradient direct = gradient(episode.query, parameters.weights);
        return {direct.value, std::move(direct.tensors), {}};
    }
    if (method == Method::Reptile)
        return towards_the_end(loop, parameters, episode);
    if (method == Method::ClosedForm)
        return through_adaptation(parameters, with_posterior_head(parameters.weights, episode.rows),
                                  episode.query);
    return is_second_order(method)
               ? through_adaptation(parameters,
                                    adapt_differentiably(method, loop, parameters, episode.support),
                                    episode.query)
               : where_the_inner_loop_ends(method, loop, parameters, episode);
}

} // namespace sparsight
