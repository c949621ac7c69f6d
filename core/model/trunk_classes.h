// The first two layers by classes of coordinates. Where there are few, the second layer's products x1[i] ·
// W[k] are few too: they are made once, and an output is a sum of their rows. Backward, the gradients that
// meet the same product are added up first. That leaves an addition of rows where there was a product with a
// matrix.
#pragma once

#include "model/trunk_layer.h"

namespace sparsight {

/// `means` of the first two layers. Needs pyramid.classes.
void class_layers_forward(const Trunk& trunk, float* means, const PartRunner& run);

/// The weights' gradients of the first two layers, once the third layer's gradients are there.
void class_layers_backward(const Trunk& trunk, const float* mean_gradients, const TrunkGradients& gradients,
                           const PartRunner& run);

} // namespace sparsight
