#include "model/waconet.h"

#include "model/sparse_convolution.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <vector>

namespace sparsight {

at::Tensor pooled_convolutions(const NamedTensors& parameters, const ConvolutionPyramid& pyramid) {
    const at::Tensor& first = parameters["layer1.0.kernel"];
    if (pyramid.coordinate_count() == 0)
        return at::zeros({1, pyramid_layers * first.size(2)}, first.options());
    at::Tensor features = at::ones({pyramid.coordinate_count(), 1}, first.options().requires_grad(false));
    std::vector<at::Tensor> means;
    for (std::size_t layer = 0; layer < pyramid.maps.size(); ++layer) {
        const at::Tensor& kernel = parameters[fmt::format("layer{}.0.kernel", layer + 1)];
        features = at::relu(sparse_convolution(features, kernel, pyramid.maps[layer]));
        means.push_back(at::mean(features, /*dim=*/0, /*keepdim=*/true));
    }
    return at::cat(means, /*dim=*/1);
}

} // namespace sparsight
