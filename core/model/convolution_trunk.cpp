#include "model/convolution_trunk.h"

#include "model/sparse_convolution.h"
#include "model/torch_part_runner.h"
#include "model/trunk.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace sparsight {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// One pass forward, for the pass back.
struct TrunkPass : torch::CustomClassHolder {
    TrunkPass(ConvolutionPyramid of, std::shared_ptr<TrunkWorkspace> memory)
        : pyramid(std::move(of))
        , workspace(std::move(memory)) {}
    ConvolutionPyramid pyramid;
    std::shared_ptr<TrunkWorkspace> workspace;
};

TrunkWeights pointers_to(const variable_list& weights) {
    TrunkWeights pointers{};
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
        torch::autograd::grad({trunk_means_by_layers(weights, pyramid)}, wanted, {mean_gradients},
                              /*retain_graph=*/true, /*create_graph=*/true);
    variable_list gradients;
    auto next = found.begin();
    for (const at::Tensor& weight : weights)
        gradients.push_back(weight.requires_grad() ? *next++ : at::Tensor());
    return gradients;
}

struct FusedTrunk : torch::autograd::Function<FusedTrunk> {
    static at::Tensor forward(AutogradContext* context, at::TensorList weights,
                              const ConvolutionPyramid& pyramid) {
        const auto pass = c10::make_intrusive<TrunkPass>(
            pyramid, pyramid.workspaces ? pyramid.workspaces->take() : std::make_shared<TrunkWorkspace>());
        const variable_list dense = contiguous(weights);
        const std::int64_t channels = weights.front().size(2);
        at::Tensor means = at::empty({pyramid_layers, channels}, weights.front().options());
        trunk_forward(pyramid, channels, pointers_to(dense), *pass->workspace, means.data_ptr<float>(),
                      widest_vector_set(), torch_part_runner());
        context->saved_data["pass"] = c10::IValue::make_capsule(pass);
        context->save_for_backward(weights.vec());
        return means;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients_of_means) {
        const auto pass =
            c10::static_intrusive_pointer_cast<TrunkPass>(context->saved_data["pass"].toCapsule());
        const variable_list weights = context->get_saved_variables();
        variable_list gradients;
        if (at::GradMode::is_enabled()) {
            gradients = differentiable_gradients(weights, pass->pyramid, gradients_of_means[0]);
        } else {
            const at::Tensor mean_gradients = gradients_of_means[0].contiguous();
            const variable_list dense = contiguous(weights);
            TrunkGradients pointers{};
            for (std::size_t layer = 0; layer < pointers.size(); ++layer) {
                gradients.push_back(at::empty_like(dense[layer]));
                pointers[layer] = gradients.back().data_ptr<float>();
            }
            trunk_backward(pass->pyramid, mean_gradients.size(1), pointers_to(dense), *pass->workspace,
                           mean_gradients.data_ptr<float>(), pointers, widest_vector_set(),
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

at::Tensor trunk_means(const std::vector<at::Tensor>& weights, const ConvolutionPyramid& pyramid) {
    check_shapes(weights, pyramid);
    const auto is_single_on_cpu = [](const at::Tensor& weight) {
        return weight.is_cpu() && weight.scalar_type() == at::kFloat;
    };
    if (std::all_of(weights.begin(), weights.end(), is_single_on_cpu))
        return FusedTrunk::apply(at::TensorList(weights), pyramid);
    return trunk_means_by_layers(weights, pyramid);
}

at::Tensor trunk_means_by_layers(const std::vector<at::Tensor>& weights, const ConvolutionPyramid& pyramid) {
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
