// WACONet's 14 convolutions with their ReLUs and means as one differentiable operation on tensors.
#pragma once

#include "model/convolution_pyramid.h"

#include <ATen/core/Tensor.h>
#include <vector>

namespace sparsight {

/// The mean over the coordinates of every layer's outputs, [layers, channels]; zeros where there are no
/// coordinates. The input is 1 at every coordinate. `weights`: [25, 1, channels], then pyramid_layers − 1
/// times [9, channels, channels], all of one type and on one device.
///
/// Single precision on the CPU runs fused (model/trunk.h), all else layer by layer. Differentiable to any
/// order: when the gradient is to be differentiated again (create_graph), it is taken through
/// trunk_means_by_layers().
[[nodiscard]] at::Tensor trunk_means(const std::vector<at::Tensor>& weights,
                                     const ConvolutionPyramid& pyramid);

/// The same by sparse_convolution(), relu and mean.
[[nodiscard]] at::Tensor trunk_means_by_layers(const std::vector<at::Tensor>& weights,
                                               const ConvolutionPyramid& pyramid);

} // namespace sparsight
