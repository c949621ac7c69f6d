// All convolutions of WACONet in one go, on plain arrays: each layer's ReLU and mean are taken while its rows
// are in the cache, and nothing but its activations is kept for the way back.
//
//   x1 = ReLU(conv(1)),  xk = ReLU(conv(xk-1)),  mk = mean over coordinates of xk          k = 2 … 14
#pragma once

#include "model/convolution_pyramid.h"
#include "model/neighbour_products.h"
#include "model/trunk_workspace.h"

#include <array>

namespace sparsight {

/// One pointer for each layer: [25, 1, channels], then [9, channels, channels].
using TrunkWeights = std::array<const float*, pyramid_layers>;
using TrunkGradients = std::array<float*, pyramid_layers>;

/// Fills workspace.activations and means [layers, channels]; the mean over no coordinates is 0.
void trunk_forward(const ConvolutionPyramid& pyramid, std::int64_t channels, const TrunkWeights& weights,
                   TrunkWorkspace& workspace, float* means, VectorSet set, const PartRunner& run);

/// The gradients of all weights for the gradient of `means`, after trunk_forward() with the same workspace.
void trunk_backward(const ConvolutionPyramid& pyramid, std::int64_t channels, const TrunkWeights& weights,
                    TrunkWorkspace& workspace, const float* mean_gradients, const TrunkGradients& gradients,
                    VectorSet set, const PartRunner& run);

} // namespace sparsight
