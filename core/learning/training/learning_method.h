// Learning methods: supervised training and meta-learning. Meta-learning has one inner and one outer loop.
// The inner loop adapts the parameters to a task by gradient steps on its support set; the outer loop
// evaluates them on the query set and moves the parameters that the inner loop starts from. Objectives,
// gradients and Adam are here, too.
#pragma once

#include "learning/training/closed_form.h"
#include "model/tensors/named_tensors.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

/// A scalar that is differentiable in the parameters; may be called more than once.
using ObjectiveTerm = std::function<at::Tensor(const NamedTensors& parameters)>;

/// What a step minimises: the mean of terms, one for each workload of a batch; at least one.
using Objective = std::vector<ObjectiveTerm>;

struct Gradient {
    double value = 0; ///< of the objective
    /// One for each parameter, zeros where the objective does not depend on it.
    std::vector<at::Tensor> tensors;
};

/// The gradient of the objective; only the graph of one term is held at a time. The parameters require
/// gradients; the result does not.
[[nodiscard]] Gradient gradient(const Objective& objective, const NamedTensors& parameters);

/// The gradient as a function of the parameters, which may be differentiated again; all graphs are held.
[[nodiscard]] Gradient differentiable_gradient(const Objective& objective, const NamedTensors& parameters);

/// The same numbers as new leaves that require gradients.
[[nodiscard]] NamedTensors leaves(const NamedTensors& parameters);

/// Whether every number is finite.
[[nodiscard]] bool are_finite(const NamedTensors& parameters);

/// Adam as a pure function of the parameters, their gradients and the running means of earlier steps (Kingma
/// and Ba: Adam, ICLR 2015; the weight decay is Loshchilov and Hutter's, decoupled weight decay
/// regularisation, ICLR 2019).
struct AdamOptions {
    double first_decay = 0.9;
    double second_decay = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0; ///< share of a parameter that a step at rate 1 removes
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

/// How the outer loop takes its gradient.
enum class Method {
    /// No inner loop: every step is on one workload of one machine, as WACO trains.
    Supervised,
    /// The gradient through the inner steps (Finn, Abbeel, Levine: Model-agnostic meta-learning, ICML 2017).
    Maml,
    /// MAML with the inner steps treated as constants: the gradient of the query loss at their end.
    Fomaml,
    /// A step towards the end of the inner steps on all examples (Nichol, Achiam, Schulman: On first-order
    /// meta-learning algorithms, 2018); (θ − φ) / α replaces the gradient, as they propose with Adam.
    Reptile,
    /// MAML whose inner steps move only the predictor, of a gray box the head (Raghu et al.: Rapid learning
    /// or feature reuse?,
    /// ICLR 2020).
    Anil,
    /// MAML that learns an inner rate for every weight, too (Li et al.: Meta-SGD, 2017).
    MetaSgd,
    /// The report's loop: for one workload, one inner step on each machine and the loss of the same
    /// configurations after it. Its weights are changed in place, so the gradient is first-order.
    Report,
    /// The head of a gray box is solved for instead of stepped towards (closed_form.h), and the gradient of
    /// the query loss goes through the solution (Bertinetto et al., ICLR 2019).
    ClosedForm,
};

/// "supervised", "maml", "fomaml", "reptile", "anil", "meta-sgd", "report", "closed-form".
[[nodiscard]] std::string_view name(Method method);
[[nodiscard]] std::optional<Method> parse_method(std::string_view text);
[[nodiscard]] inline bool is_meta(Method method) {
    return method != Method::Supervised;
}

struct InnerLoop {
    int steps = 1;
    double rate = 0.01; ///< length of an inner step; where Meta-SGD's rates begin
};

/// What the outer loop learns.
struct MetaParameters {
    NamedTensors weights;
    /// Meta-SGD's inner rates, one for each weight; other methods have none.
    std::optional<NamedTensors> rates;
};

[[nodiscard]] MetaParameters initial_meta_parameters(Method method, const InnerLoop& loop,
                                                     NamedTensors weights);

/// Whether the inner loop of the method moves this parameter.
[[nodiscard]] bool adapts(Method method, std::string_view parameter);

struct InnerStep {
    double loss = 0; ///< before the step
    NamedTensors weights;
};

/// One step of the inner loop from the weights of `parameters`, with its learned rates where it has any;
/// Method::ClosedForm has no steps. The result is new leaves without a graph back to the start. `loop.steps`
/// is ignored.
[[nodiscard]] InnerStep inner_step(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                                   const Objective& support);

struct Episode {
    Objective support;
    Objective query;
    std::vector<LinearTerm> rows{}; ///< the support set of Method::ClosedForm, which may be empty
};

/// The weights adapted to the support set, by the inner loop or in closed form: new leaves. For a new machine
/// this is fine-tuning.
[[nodiscard]] NamedTensors adapt(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                                 const Episode& episode);

struct MetaGradient {
    double query_loss = 0;           ///< after the inner loop; before it for Method::Supervised
    std::vector<at::Tensor> weights; ///< one for each weight
    std::vector<at::Tensor> rates;   ///< one for each rate, where there are any
};

/// Method::Supervised ignores the support set.
[[nodiscard]] MetaGradient meta_gradient(Method method, const InnerLoop& loop,
                                         const MetaParameters& parameters, const Episode& episode);

} // namespace sparsight
