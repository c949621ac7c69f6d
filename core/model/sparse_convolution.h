// The convolution of a sparse image: only existing coordinates have features, and only they get outputs.
#pragma once

#include "model/kernel_map.h"

#include <ATen/core/Tensor.h>
#include <memory>

namespace sparsight {

/// out[o] = Σ over offsets k with an input i at k around o:  in[i] · weight[k]   (no bias)
///
/// features [map->input_count(), channels in], weight [map->kernel_area(), channels in, channels out] with
/// the slices in the order of weight_slice(); returns [map->output_count(), channels out]. Any device and
/// floating type, the same for both. Differentiable to any order. Shapes that do not fit throw c10::Error:
/// they are a caller's mistake.
[[nodiscard]] at::Tensor sparse_convolution(const at::Tensor& features, const at::Tensor& weight,
                                            const std::shared_ptr<const KernelMap>& map);

/// The same by LibTorch's own differentiable operations: what other devices use, and what our kernels are
/// checked against.
[[nodiscard]] at::Tensor sparse_convolution_by_operations(const at::Tensor& features,
                                                          const at::Tensor& weight, const KernelMap& map);

} // namespace sparsight
