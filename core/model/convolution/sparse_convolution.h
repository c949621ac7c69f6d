// The convolution of a sparse image as a differentiable operation on our own kernels: only existing
// coordinates have features, and only they get outputs. It is bilinear, so it and its two gradients are
// closed under differentiation: three Functions serve every order.
//
//   forward          out[o] = Σ f[i] · W[k]     gradients: by f the input gradient, by W the weight gradient
//   input gradient   u[i] = Σ g[o] · W[k]ᵀ      gradients: by g the forward, by W the weight gradient
//   weight gradient  V[k] = Σ f[i]ᵀ · g[o]      gradients: by f the input gradient, by g the forward
#pragma once

#include "model/convolution/convolution_pyramid.h"
#include "model/vector_instructions.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <vector>

namespace sparsight {

/// As sparse_convolution(), for single and double precision on the CPU.
[[nodiscard]] at::Tensor convolve_on_cpu(const at::Tensor& features, const at::Tensor& weight,
                                         const std::shared_ptr<const KernelMap>& map,
                                         VectorInstructions set = widest_vector_instructions());

/// out[o] = Σ over offsets k with an input i at k around o:  in[i] · weight[k]   (no bias)
///
/// features [map->input_count(), channels in], weight [map->kernel_area(), channels in, channels out] with
/// the slices in the order of weight_slice(); returns [map->output_count(), channels out]. Any device and
/// floating type, the same for both. Differentiable to any order. Mismatched shapes throw c10::Error:
/// they are the caller's mistake.
[[nodiscard]] at::Tensor sparse_convolution(const at::Tensor& features, const at::Tensor& weight,
                                            const std::shared_ptr<const KernelMap>& map);

/// The same by LibTorch's own differentiable operations: used on other devices and as the reference in tests
/// of our kernels.
[[nodiscard]] at::Tensor sparse_convolution_by_operations(const at::Tensor& features,
                                                          const at::Tensor& weight, const KernelMap& map);

/// WACONet's 14 convolutions with their ReLUs and means as one differentiable operation on tensors: the mean
/// over the coordinates of every layer's outputs, [layers, channels]; zeros where there are no
/// coordinates. The input is 1 at every coordinate. `weights`: [25, 1, channels], then pyramid_layers − 1
/// times [9, channels, channels], all of one type and on one device.
///
/// Single precision on the CPU runs fused (model/convolution/convolution_pass.h), all else layer by layer.
/// Differentiable to any order: when the gradient is to be differentiated again (create_graph), it is taken
/// through convolution_means_by_layers().
[[nodiscard]] at::Tensor convolution_means(const std::vector<at::Tensor>& weights,
                                           const ConvolutionPyramid& pyramid);

/// The same by sparse_convolution(), relu and mean.
[[nodiscard]] at::Tensor convolution_means_by_layers(const std::vector<at::Tensor>& weights,
                                                     const ConvolutionPyramid& pyramid);

} // namespace sparsight
