#include "model/convolution/sparse_convolution.h"

#include "model/convolution/convolution_pass.h"
#include "model/convolution/neighbour_products.h"
#include "model/convolution/part_runner.h"

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <string>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace sparsight {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// The data that all three Functions share; held by the graph's nodes.
struct Convolution : torch::CustomClassHolder {
    Convolution(std::shared_ptr<const KernelMap> with, VectorInstructions vectors)
        : map(std::move(with))
        , set(vectors) {}
    std::shared_ptr<const KernelMap> map;
    VectorInstructions set;
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
                           const std::shared_ptr<const KernelMap>& map, VectorInstructions set) {
    return Forward::apply(features, weight, c10::make_intrusive<Convolution>(map, set));
}

at::Tensor sparse_convolution(const at::Tensor& features, const at::Tensor& weight,
                              const std::shared_ptr<const KernelMap>& map) {
    TORCH_CHECK(features.dim() == 2 && features.size(0) == map->input_count(),
                "sparse_convolution: features are ", features.sizes(), ", expected [", map->input_count(),
                ", channels in]");
    TORCH_CHECK(weight.dim() == 3 && weight.size(0) == map->kernel_area() &&
                    weight.size(1) == features.size(1),
                "sparse_convolution: the weight is ", weight.sizes(), ", expected [", map->kernel_area(),
                ", ", features.size(1), ", channels out]");
    TORCH_CHECK(weight.scalar_type() == features.scalar_type() && weight.device() == features.device(),
                "sparse_convolution: features are ", features.toString(), ", the weight is ",
                weight.toString());
    const bool has_kernels = features.scalar_type() == at::kFloat || features.scalar_type() == at::kDouble;
    if (features.is_cpu() && has_kernels)
        return convolve_on_cpu(features, weight, map);
    return sparse_convolution_by_operations(features, weight, *map);
}

namespace {

/// The pairs of one weight slice on a device.
struct SliceIndices {
    std::int64_t slice = 0;
    at::Tensor inputs;
    at::Tensor outputs;
};
using MapIndices = std::vector<SliceIndices>;

at::Tensor copied_to(at::Device device, std::vector<std::int64_t>& indices) {
    const auto count = static_cast<std::int64_t>(indices.size());
    return at::from_blob(indices.data(), {count}, at::TensorOptions(at::kLong))
        .to(device, at::kLong, false, true);
}

/// Making them takes longer than a convolution on a fast device, so that they stay with the map.
std::shared_ptr<const MapIndices> indices_on(at::Device device, const KernelMap& map) {
    const auto kept = map.kept("index lists on " + device.str(), [&] {
        auto indices = std::make_shared<MapIndices>();
        std::vector<OffsetPairs> slices = map.pairs_by_slice();
        for (std::size_t slice = 0; slice < slices.size(); ++slice)
            if (!slices[slice].inputs.empty())
                indices->push_back({static_cast<std::int64_t>(slice), copied_to(device, slices[slice].inputs),
                                    copied_to(device, slices[slice].outputs)});
        return indices;
    });
    return std::static_pointer_cast<const MapIndices>(kept);
}

} // namespace

at::Tensor sparse_convolution_by_operations(const at::Tensor& features, const at::Tensor& weight,
                                            const KernelMap& map) {
    at::Tensor sum = at::zeros({map.output_count(), weight.size(2)}, features.options().requires_grad(false));
    const std::shared_ptr<const MapIndices> indices = indices_on(features.device(), map);
    for (const auto& [slice, inputs, outputs] : *indices)
        sum = at::index_add(sum, 0, outputs,
                            at::mm(at::index_select(features, 0, inputs), weight.select(0, slice)));
    return sum;
}

namespace {

/// One pass forward, for the pass back.
struct SavedPass : torch::CustomClassHolder {
    SavedPass(ConvolutionPyramid of, std::shared_ptr<ConvolutionWorkspace> memory)
        : pyramid(std::move(of))
        , workspace(std::move(memory)) {}
    ConvolutionPyramid pyramid;
    std::shared_ptr<ConvolutionWorkspace> workspace;
};

PassWeights pointers_to(const variable_list& weights) {
    PassWeights pointers{};
    for (std::size_t layer = 0; layer < pointers.size(); ++layer)
        pointers[layer] = weights[layer].data_ptr<float>();
    return pointers;
}

variable_list contiguous(at::TensorList weights) {
    variable_list dense;
    for (const at::Tensor& weight : weights)
        dense.push_back(weight.contiguous());
    return dense;
}

/// Gradients that can be differentiated again: the pass is repeated with operations that know how.
variable_list differentiable_gradients(const variable_list& weights, const ConvolutionPyramid& pyramid,
                                       const at::Tensor& mean_gradients) {
    variable_list wanted;
    for (const at::Tensor& weight : weights)
        if (weight.requires_grad())
            wanted.push_back(weight);
    variable_list found =
        torch::autograd::grad({convolution_means_by_layers(weights, pyramid)}, wanted, {mean_gradients},
                              /*retain_graph=*/true, /*create_graph=*/true);
    variable_list gradients;
    auto next = found.begin();
    for (const at::Tensor& weight : weights)
        gradients.push_back(weight.requires_grad() ? *next++ : at::Tensor());
    return gradients;
}

struct FusedConvolutions : torch::autograd::Function<FusedConvolutions> {
    static at::Tensor forward(AutogradContext* context, at::TensorList weights,
                              const ConvolutionPyramid& pyramid) {
        const auto pass = c10::make_intrusive<SavedPass>(
            pyramid,
            pyramid.workspaces ? pyramid.workspaces->take() : std::make_shared<ConvolutionWorkspace>());
        const variable_list dense = contiguous(weights);
        const std::int64_t channels = weights.front().size(2);
        at::Tensor means = at::empty({pyramid_layers, channels}, weights.front().options());
        forward_pass(pyramid, channels, pointers_to(dense), *pass->workspace, means.data_ptr<float>(),
                     widest_vector_instructions(), torch_part_runner());
        context->saved_data["pass"] = c10::IValue::make_capsule(pass);
        context->save_for_backward(weights.vec());
        return means;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients_of_means) {
        const auto pass =
            c10::static_intrusive_pointer_cast<SavedPass>(context->saved_data["pass"].toCapsule());
        const variable_list weights = context->get_saved_variables();
        variable_list gradients;
        if (at::GradMode::is_enabled()) {
            gradients = differentiable_gradients(weights, pass->pyramid, gradients_of_means[0]);
        } else {
            const at::Tensor mean_gradients = gradients_of_means[0].contiguous();
            const variable_list dense = contiguous(weights);
            PassGradients pointers{};
            for (std::size_t layer = 0; layer < pointers.size(); ++layer) {
                gradients.push_back(at::empty_like(dense[layer]));
                pointers[layer] = gradients.back().data_ptr<float>();
            }
            backward_pass(pass->pyramid, mean_gradients.size(1), pointers_to(dense), *pass->workspace,
                          mean_gradients.data_ptr<float>(), pointers, widest_vector_instructions(),
                          torch_part_runner());
        }
        gradients.emplace_back(); // the pyramid
        return gradients;
    }
};

void check_shapes(const std::vector<at::Tensor>& weights, const ConvolutionPyramid& pyramid) {
    TORCH_CHECK(weights.size() == pyramid.maps.size(), "trunk_means: ", weights.size(), " weights, expected ",
                pyramid.maps.size());
    const std::int64_t channels = weights.front().dim() == 3 ? weights.front().size(2) : 0;
    for (std::size_t layer = 0; layer < weights.size(); ++layer) {
        const std::int64_t area = pyramid.maps[layer]->kernel_area();
        const std::array<std::int64_t, 3> expected{area, layer == 0 ? 1 : channels, channels};
        TORCH_CHECK(weights[layer].sizes() == at::IntArrayRef(expected), "trunk_means: weight ", layer,
                    " is ", weights[layer].sizes(), ", expected ", at::IntArrayRef(expected));
    }
}

} // namespace

at::Tensor convolution_means(const std::vector<at::Tensor>& weights, const ConvolutionPyramid& pyramid) {
    check_shapes(weights, pyramid);
    const auto is_single_on_cpu = [](const at::Tensor& weight) {
        return weight.is_cpu() && weight.scalar_type() == at::kFloat;
    };
    if (std::all_of(weights.begin(), weights.end(), is_single_on_cpu))
        return FusedConvolutions::apply(at::TensorList(weights), pyramid);
    return convolution_means_by_layers(weights, pyramid);
}

at::Tensor convolution_means_by_layers(const std::vector<at::Tensor>& weights,
                                       const ConvolutionPyramid& pyramid) {
    check_shapes(weights, pyramid);
    const at::TensorOptions options = weights.front().options().requires_grad(false);
    if (pyramid.coordinate_count() == 0)
        return at::zeros({pyramid_layers, weights.front().size(2)}, options);
    at::Tensor features = at::ones({pyramid.coordinate_count(), 1}, options);
    std::vector<at::Tensor> means;
    for (std::size_t layer = 0; layer < weights.size(); ++layer) {
        features = at::relu(sparse_convolution(features, weights[layer], pyramid.maps[layer]));
        means.push_back(at::mean(features, 0));
    }
    return at::stack(means);
}

} // namespace sparsight
