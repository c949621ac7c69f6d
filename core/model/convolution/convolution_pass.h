// All convolutions of WACONet in one pass, on plain arrays: each layer's ReLU and mean are computed while its
// rows are in the cache, and only its activations are kept for the backward pass.
//
//   x1 = ReLU(conv(1)),  xk = ReLU(conv(xk-1)),  mk = mean over coordinates of xk          k = 2 … 14
#pragma once

#include "base/memory.h"
#include "model/convolution/convolution_pyramid.h"
#include "model/convolution/neighbour_products.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace sparsight {

/// The memory that one pass through the convolutions of a pattern works in. It is kept and reused: fresh
/// memory costs a page fault for every 4 KiB, which at a million coordinates takes as long as the arithmetic.
struct ConvolutionWorkspace {
    /// The output of each layer after its ReLU: [outputs, channels]; that of the first for each class, where
    /// there are classes.
    std::array<FloatBuffer, pyramid_layers> activations;
    /// The gradients of two neighbouring layers, alternating.
    std::array<FloatBuffer, 2> gradients;
};

/// Lends workspaces and takes them back; it has as many as were ever in use at once, which is one where each
/// forward pass is followed by its backward pass. Safe to use from several threads.
class ConvolutionWorkspaces {
public:
    /// The workspace returns to the pool when the last pointer to it is destroyed, also after the pool is
    /// destroyed.
    [[nodiscard]] std::shared_ptr<ConvolutionWorkspace> take();

private:
    struct Shelf {
        std::mutex mutex;
        std::vector<std::unique_ptr<ConvolutionWorkspace>> free;
    };
    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

/// One pointer for each layer: [25, 1, channels], then [9, channels, channels].
using PassWeights = std::array<const float*, pyramid_layers>;
using PassGradients = std::array<float*, pyramid_layers>;

/// Fills workspace.activations and means [layers, channels]; the mean over no coordinates is 0.
void forward_pass(const ConvolutionPyramid& pyramid, std::int64_t channels, const PassWeights& weights,
                  ConvolutionWorkspace& workspace, float* means, VectorInstructions set,
                  const PartRunner& run);

/// The gradients of all weights for the gradient of `means`, after forward_pass() with the same workspace.
void backward_pass(const ConvolutionPyramid& pyramid, std::int64_t channels, const PassWeights& weights,
                   ConvolutionWorkspace& workspace, const float* mean_gradients,
                   const PassGradients& gradients, VectorInstructions set, const PartRunner& run);

// Operations on the rows of a tile while they are in the cache: ReLU, its gradient, and sums over rows.

/// rows = max(rows, 0), and sums[c] += Σ rows[·, c]. A NaN stays one.     rows [count, channels]
void rectify_and_sum(float* rows, std::int64_t count, std::int64_t channels, double* sums);

/// gradient = activation > 0 ? gradient + shared : 0, where `shared` [channels] is the part from the
/// layer's mean, equal for every row.     both [count, channels]
void add_and_mask(float* gradient, const float* activation, const float* shared, std::int64_t count,
                  std::int64_t channels);

/// sum[c] += Σ rows[·, c]     rows [count, channels]
void add_rows(const float* rows, std::int64_t count, std::int64_t channels, float* sum);

// The first convolution of WACONet, whose input is 1 at every coordinate: an output is a sum of weight rows,
// one for each existing neighbour. In bands and blocks most coordinates have the same neighbours as the one
// before.

/// rows[c] = Σ weights[bit] over the neighbours of each centre.     weights [channels] each, rows [count,
/// channels]
void unit_products(const NeighbourTable& table, CentreRange centres, const PairKernels<float>& kernels,
                   std::int64_t channels, const WeightMatrices<const float>& weights, float* rows);

/// weights[bit] += Σ rows[c] over the centres that have that neighbour.
void add_unit_outer_products(const NeighbourTable& table, CentreRange centres, std::int64_t channels,
                             const float* rows, const WeightMatrices<float>& weights);

/// Space for `count` numbers, uninitialised and without a copy of the old content.
float* prepared(FloatBuffer& buffer, std::int64_t count);

/// The common arguments of the forward and backward pass. All convolutions after the first have as many
/// input as output channels.
struct ConvolutionPass {
    const ConvolutionPyramid& pyramid;
    std::int64_t channels;
    const PassWeights& weights;
    ConvolutionWorkspace& workspace;
    VectorInstructions set;

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

/// Writes the convolution's results for some centres to their rows.
using WriteRows = std::function<void(CentreRange centres, float* rows)>;
/// Takes the finished gradient of the rows of some centres, after their ReLU.
using UseGradient = std::function<void(CentreRange centres, const float* rows)>;

/// A layer whose rows come from what `writer(part)` returns: their ReLU to activations(layer), their mean to
/// `mean`.
void forward_rows(const ConvolutionPass& pass, int layer, float* mean,
                  const std::function<WriteRows()>& writer, const PartRunner& run);

/// Computes the gradient of a layer's outputs, tile by tile, in `parts` parts; it is kept for the layer
/// before only if requested.
void backward_rows(const ConvolutionPass& pass, int layer, const float* mean_gradient, int parts,
                   bool is_kept, const std::function<UseGradient(int part)>& user, const PartRunner& run);

void layer_forward(const ConvolutionPass& pass, int layer, float* mean, const PartRunner& run);
void layer_backward(const ConvolutionPass& pass, int layer, const float* mean_gradient,
                    float* weight_gradient, const PartRunner& run);

/// The part of each coordinate in the mean's gradient.
[[nodiscard]] FloatBuffer shared_gradient(const float* mean_gradient, std::int64_t channels,
                                          std::int64_t coordinates);

// The first two layers by classes of coordinates. Where classes are few, the second layer's products x1[i] ·
// W[k] are few, too: they are computed once, and an output is a sum of their rows. In the backward pass the
// gradients of the same product are added first. So an addition of rows replaces a product with a matrix.

/// `means` of the first two layers. Needs pyramid.classes.
void class_layers_forward(const ConvolutionPass& pass, float* means, const PartRunner& run);

/// The weights' gradients of the first two layers, once the third layer's gradients are there.
void class_layers_backward(const ConvolutionPass& pass, const float* mean_gradients,
                           const PassGradients& gradients, const PartRunner& run);

} // namespace sparsight
