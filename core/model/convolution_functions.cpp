#include "model/convolution_functions.h"

#include "model/neighbour_products.h"
#include "model/torch_part_runner.h"

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

namespace sparsight {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// What all three share; held by the graph's nodes.
struct Convolution : torch::CustomClassHolder {
    Convolution(std::shared_ptr<const KernelMap> with, VectorSet vectors)
        : map(std::move(with))
        , set(vectors) {}
    std::shared_ptr<const KernelMap> map;
    VectorSet set;
};
using ConvolutionPointer = c10::intrusive_ptr<Convolution>;

at::Tensor forward_product(const at::Tensor& features, const at::Tensor& weight,
                           const Convolution& convolution) {
    const at::Tensor f = features.contiguous();
    const at::Tensor w = weight.contiguous();
    const Channels channels{w.size(1), w.size(2)};
    at::Tensor out = at::empty({convolution.map->output_count(), channels.out}, f.options());
    AT_DISPATCH_FLOATING_TYPES(f.scalar_type(), "sparse_convolution", [&] {
        neighbour_products<scalar_t>(
            convolution.map->inputs_of_outputs(), channels, f.data_ptr<scalar_t>(),
            weight_matrices<const scalar_t>(w.data_ptr<scalar_t>(), convolution.map->kernel_size(), channels),
            out.data_ptr<scalar_t>(), convolution.set, torch_part_runner());
    });
    return out;
}

at::Tensor input_gradient(const at::Tensor& gradient, const at::Tensor& weight,
                          const Convolution& convolution) {
    const at::Tensor g = gradient.contiguous();
    const at::Tensor w = weight.contiguous();
    const Channels channels{w.size(1), w.size(2)};
    at::Tensor out = at::empty({convolution.map->input_count(), channels.in}, g.options());
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "sparse_convolution", [&] {
        const TransposedWeight<scalar_t> transposed(w.data_ptr<scalar_t>(), convolution.map->kernel_size(),
                                                    channels);
        neighbour_products<scalar_t>(convolution.map->outputs_of_inputs(), {channels.out, channels.in},
                                     g.data_ptr<scalar_t>(), transposed.matrices(), out.data_ptr<scalar_t>(),
                                     convolution.set, torch_part_runner());
    });
    return out;
}

at::Tensor weight_gradient(const at::Tensor& features, const at::Tensor& gradient,
                           const Convolution& convolution) {
    const at::Tensor f = features.contiguous();
    const at::Tensor g = gradient.contiguous();
    const Channels channels{f.size(1), g.size(1)};
    at::Tensor out = at::empty({convolution.map->kernel_area(), channels.in, channels.out}, f.options());
    AT_DISPATCH_FLOATING_TYPES(f.scalar_type(), "sparse_convolution", [&] {
        neighbour_outer_products<scalar_t>(convolution.map->inputs_of_outputs(), channels,
                                           f.data_ptr<scalar_t>(), g.data_ptr<scalar_t>(),
                                           out.data_ptr<scalar_t>(), convolution.set, torch_part_runner());
    });
    return out;
}

void remember(AutogradContext* context, const ConvolutionPointer& convolution, const at::Tensor& first,
              const at::Tensor& second) {
    context->saved_data["convolution"] = c10::IValue::make_capsule(convolution);
    context->save_for_backward({first, second});
}

ConvolutionPointer remembered(AutogradContext* context) {
    return c10::static_intrusive_pointer_cast<Convolution>(context->saved_data["convolution"].toCapsule());
}

struct Forward : Function<Forward> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& features, const at::Tensor& weight,
                              const ConvolutionPointer& convolution) {
        remember(context, convolution, features, weight);
        return forward_product(features, weight, *convolution);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

struct InputGradient : Function<InputGradient> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& gradient, const at::Tensor& weight,
                              const ConvolutionPointer& convolution) {
        remember(context, convolution, gradient, weight);
        return input_gradient(gradient, weight, *convolution);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

struct WeightGradient : Function<WeightGradient> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& features,
                              const at::Tensor& gradient, const ConvolutionPointer& convolution) {
        remember(context, convolution, features, gradient);
        return weight_gradient(features, gradient, *convolution);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

variable_list Forward::backward(AutogradContext* context, const variable_list& gradients) {
    const ConvolutionPointer convolution = remembered(context);
    const variable_list saved = context->get_saved_variables(); // features, weight
    return {context->needs_input_grad(0) ? InputGradient::apply(gradients[0], saved[1], convolution)
                                         : at::Tensor(),
            context->needs_input_grad(1) ? WeightGradient::apply(saved[0], gradients[0], convolution)
                                         : at::Tensor(),
            at::Tensor()};
}

variable_list InputGradient::backward(AutogradContext* context, const variable_list& gradients) {
    const ConvolutionPointer convolution = remembered(context);
    const variable_list saved = context->get_saved_variables(); // gradient, weight
    return {context->needs_input_grad(0) ? Forward::apply(gradients[0], saved[1], convolution) : at::Tensor(),
            context->needs_input_grad(1) ? WeightGradient::apply(gradients[0], saved[0], convolution)
                                         : at::Tensor(),
            at::Tensor()};
}

variable_list WeightGradient::backward(AutogradContext* context, const variable_list& gradients) {
    const ConvolutionPointer convolution = remembered(context);
    const variable_list saved = context->get_saved_variables(); // features, gradient
    return {context->needs_input_grad(0) ? InputGradient::apply(saved[1], gradients[0], convolution)
                                         : at::Tensor(),
            context->needs_input_grad(1) ? Forward::apply(saved[0], gradients[0], convolution) : at::Tensor(),
            at::Tensor()};
}

} // namespace

at::Tensor convolve_on_cpu(const at::Tensor& features, const at::Tensor& weight,
                           const std::shared_ptr<const KernelMap>& map, VectorSet set) {
    return Forward::apply(features, weight, c10::make_intrusive<Convolution>(map, set));
}

} // namespace sparsight
