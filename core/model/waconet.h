// The convolutions of WACO's network (Won, Mendis, Emer, Amarasinghe: WACO, ASPLOS 2023, section 4.1):
//   x0 = 1 at every non-zero; x1 = ReLU(conv 5×5, stride 1, 1 → 32); xk = ReLU(conv 3×3, stride 2, 32 → 32)
// for k = 2 … 14, and of each the mean over its coordinates.
#pragma once

#include "model/convolution_pyramid.h"
#include "model/named_tensors.h"

#include <ATen/core/Tensor.h>

namespace sparsight {

/// Parameters layer1.0.kernel … layer14.0.kernel, shape [kernel area, in, out] with the slices in
/// MinkowskiEngine's order (weight_slice() in kernel_map.h). Returns [1, 14 · 32], layer by layer; zeros for
/// a pattern without entries.
///
/// The published weights were tried in all eight orders that mirroring and transposing the kernel give
/// (published_weights_report in tests/bench).
[[nodiscard]] at::Tensor pooled_convolutions(const NamedTensors& parameters,
                                             const ConvolutionPyramid& pyramid);

} // namespace sparsight
