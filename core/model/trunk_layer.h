// One layer of the trunk, forward and back.
#pragma once

#include "model/trunk.h"

#include <cstddef>

namespace sparsight {

/// Room for `count` numbers of any value, and no copy of what was there.
float* prepared(FloatBuffer& buffer, std::int64_t count);

/// What forward and backward have in common. All convolutions after the first have as many channels in as
/// out.
struct Trunk {
    const ConvolutionPyramid& pyramid;
    std::int64_t channels;
    const TrunkWeights& weights;
    TrunkWorkspace& workspace;
    VectorSet set;

    [[nodiscard]] const KernelMap& map(int layer) const {
        return *pyramid.maps[static_cast<std::size_t>(layer)];
    }
    [[nodiscard]] Channels shape(int layer) const { return {layer == 0 ? 1 : channels, channels}; }
    [[nodiscard]] PairKernels<float> kernels(int layer) const {
        return pair_kernels(shape(layer), set, float{});
    }
    [[nodiscard]] FloatBuffer& activations(int layer) const {
        return workspace.activations[static_cast<std::size_t>(layer)];
    }
    [[nodiscard]] FloatBuffer& gradients(int layer) const {
        return workspace.gradients[static_cast<std::size_t>(layer % 2)];
    }
    [[nodiscard]] const float* weight(int layer) const { return weights[static_cast<std::size_t>(layer)]; }
    [[nodiscard]] WeightMatrices<const float> matrices(int layer) const {
        return weight_matrices(weight(layer), map(layer).kernel_size(), shape(layer));
    }
};

/// Writes what the convolution gives for some centres to their rows.
using WriteRows = std::function<void(CentreRange centres, float* rows)>;
/// Takes the finished gradient of the rows of some centres, after their ReLU.
using UseGradient = std::function<void(CentreRange centres, const float* rows)>;

/// A layer whose rows come from what `writer(part)` returns: their ReLU to activations(layer), their mean to
/// `mean`.
void forward_rows(const Trunk& trunk, int layer, float* mean, const std::function<WriteRows()>& writer,
                  const PartRunner& run);

/// The gradient of a layer's outputs, tile by tile, in so many parts; it is kept for the layer before only if
/// that is asked for.
void backward_rows(const Trunk& trunk, int layer, const float* mean_gradient, int parts, bool is_kept,
                   const std::function<UseGradient(int part)>& user, const PartRunner& run);

void layer_forward(const Trunk& trunk, int layer, float* mean, const PartRunner& run);
void layer_backward(const Trunk& trunk, int layer, const float* mean_gradient, float* weight_gradient,
                    const PartRunner& run);

/// What the mean's gradient gives to each coordinate.
[[nodiscard]] FloatBuffer shared_gradient(const float* mean_gradient, std::int64_t channels,
                                          std::int64_t coordinates);

} // namespace sparsight
