#include "model/trunk.h"

#include "model/trunk_classes.h"
#include "model/trunk_layer.h"

namespace sparsight {

namespace {

/// How many layers the classes take care of.
int class_layers(const ConvolutionPyramid& pyramid) {
    return pyramid.classes ? 2 : 0;
}

} // namespace

void trunk_forward(const ConvolutionPyramid& pyramid, std::int64_t channels, const TrunkWeights& weights,
                   TrunkWorkspace& workspace, float* means, VectorSet set, const PartRunner& run) {
    const Trunk trunk{pyramid, channels, weights, workspace, set};
    if (pyramid.classes)
        class_layers_forward(trunk, means, run);
    for (int layer = class_layers(pyramid); layer < pyramid_layers; ++layer)
        layer_forward(trunk, layer, means + layer * channels, run);
}

void trunk_backward(const ConvolutionPyramid& pyramid, std::int64_t channels, const TrunkWeights& weights,
                    TrunkWorkspace& workspace, const float* mean_gradients, const TrunkGradients& gradients,
                    VectorSet set, const PartRunner& run) {
    const Trunk trunk{pyramid, channels, weights, workspace, set};
    for (int layer = pyramid_layers - 1; layer >= class_layers(pyramid); --layer)
        layer_backward(trunk, layer, mean_gradients + layer * channels,
                       gradients[static_cast<std::size_t>(layer)], run);
    if (pyramid.classes)
        class_layers_backward(trunk, mean_gradients, gradients, run);
}

} // namespace sparsight
