#include "model/trunk.h"

#include "model/neighbour_tile.h"
#include "model/row_blocks.h"
#include "model/tile_products.h"
#include "model/unit_layer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace sparsight {

namespace {

/// Room for `count` numbers of any value, and no copy of what was there.
float* prepared(FloatBuffer& buffer, std::int64_t count) {
    const auto size = static_cast<std::size_t>(count);
    if (buffer.capacity() < size)
        FloatBuffer().swap(buffer);
    buffer.resize(size);
    return buffer.data();
}

std::size_t at(int layer) {
    return static_cast<std::size_t>(layer);
}

/// What forward and backward have in common. All convolutions after the first have as many channels in as
/// out.
struct Trunk {
    const ConvolutionPyramid& pyramid;
    std::int64_t channels;
    const TrunkWeights& weights;
    TrunkWorkspace& workspace;
    VectorSet set;

    [[nodiscard]] const KernelMap& map(int layer) const { return *pyramid.maps[at(layer)]; }
    [[nodiscard]] Channels shape(int layer) const { return {layer == 0 ? 1 : channels, channels}; }
    [[nodiscard]] PairKernels<float> kernels(int layer) const {
        return pair_kernels(shape(layer), set, float{});
    }
    [[nodiscard]] float* activations(int layer) const { return workspace.activations[at(layer)].data(); }
    [[nodiscard]] float* gradients(int layer) const { return workspace.gradients[at(layer % 2)].data(); }
    [[nodiscard]] WeightMatrices<const float> matrices(int layer) const {
        return weight_matrices(weights[at(layer)], map(layer).kernel_size(), shape(layer));
    }
};

void run_layer(const Trunk& trunk, int layer, float* mean, const PartRunner& run) {
    const NeighbourTable& table = trunk.map(layer).inputs_of_outputs();
    const WeightMatrices<const float> weights = trunk.matrices(layer);
    const PairKernels<float> kernels = trunk.kernels(layer);
    const std::int64_t channels = trunk.channels;
    float* outputs = prepared(trunk.workspace.activations[at(layer)], table.count() * channels);
    const int parts = part_count(table.count());
    std::vector<double> sums(static_cast<std::size_t>(parts * channels), 0.0);
    run(parts, [&](int part) {
        const auto tile = std::make_unique<NeighbourTile>();
        for_each_tile(part_range(table.count(), parts, part), [&](CentreRange centres) {
            float* rows = outputs + centres.begin * channels;
            if (layer == 0) {
                unit_products(table, centres, kernels, channels, weights, rows);
            } else {
                tile->read(table, centres);
                tile_products(*tile, kernels, trunk.shape(layer), trunk.activations(layer - 1), weights,
                              rows);
            }
            rectify_and_sum(rows, centres.end - centres.begin, channels, sums.data() + part * channels);
        });
    });
    const double count = static_cast<double>(std::max<std::int64_t>(table.count(), 1));
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        double sum = 0;
        for (int part = 0; part < parts; ++part)
            sum += sums[static_cast<std::size_t>(part * channels + channel)];
        mean[channel] = static_cast<float>(sum / count);
    }
}

/// The gradient that a layer's outputs get from the next layer.
class ConsumerGradient {
public:
    ConsumerGradient(const Trunk& trunk, int consumer)
        : table_(trunk.map(consumer).outputs_of_inputs())
        , channels_(trunk.shape(consumer))
        , kernels_(trunk.kernels(consumer))
        , transposed_(trunk.weights[at(consumer)], trunk.map(consumer).kernel_size(), channels_)
        , gradients_(trunk.gradients(consumer)) {}

    void write(CentreRange centres, NeighbourTile& tile, float* rows) const {
        tile.read(table_, centres);
        tile_products(tile, kernels_, channels_, gradients_, transposed_.matrices(), rows);
    }

private:
    const NeighbourTable& table_;
    Channels channels_;
    PairKernels<float> kernels_;
    TransposedWeight<float> transposed_;
    const float* gradients_;
};

/// Finishes the gradient of a layer's outputs, tile by tile, and takes from it that of the layer's weight.
void run_layer_back(const Trunk& trunk, int layer, const float* mean_gradient, float* weight_gradient,
                    const PartRunner& run) {
    const NeighbourTable& table = trunk.map(layer).inputs_of_outputs();
    const Channels shape = trunk.shape(layer);
    const std::int64_t channels = trunk.channels;
    const PairKernels<float> kernels = trunk.kernels(layer);

    FloatBuffer shared; // what the mean gives to each coordinate
    shared.assign(mean_gradient, mean_gradient + channels);
    for (float& value : shared)
        value /= static_cast<float>(std::max<std::int64_t>(table.count(), 1));

    std::optional<ConsumerGradient> consumer;
    if (layer + 1 < pyramid_layers)
        consumer.emplace(trunk, layer + 1);

    // Nobody needs the gradient of the first layer's outputs but the weight: it never leaves the cache.
    float* outputs =
        layer == 0 ? nullptr : prepared(trunk.workspace.gradients[at(layer % 2)], table.count() * channels);
    const int parts = part_count(table.count());
    PartialWeights<float> sums(parts, table.kernel_size, shape);
    run(parts, [&](int part) {
        const auto tile = std::make_unique<NeighbourTile>();
        const WeightMatrices<float> partial = sums.cleared(part);
        FloatBuffer own_rows(layer == 0 ? static_cast<std::size_t>(tile_centres * channels) : 0);
        for_each_tile(part_range(table.count(), parts, part), [&](CentreRange centres) {
            const std::int64_t count = centres.end - centres.begin;
            float* rows = layer == 0 ? own_rows.data() : outputs + centres.begin * channels;
            if (consumer)
                consumer->write(centres, *tile, rows);
            else
                std::fill_n(rows, count * channels, 0.0F);
            add_and_mask(rows, trunk.activations(layer) + centres.begin * channels, shared.data(), count,
                         channels);
            if (layer == 0) {
                add_unit_outer_products(table, centres, channels, rows, partial);
            } else {
                tile->read(table, centres);
                add_tile_outer_products(*tile, kernels, shape, trunk.activations(layer - 1), rows, partial);
            }
        });
    });
    sums.sum_to(weight_gradient);
}

} // namespace

void trunk_forward(const ConvolutionPyramid& pyramid, std::int64_t channels, const TrunkWeights& weights,
                   TrunkWorkspace& workspace, float* means, VectorSet set, const PartRunner& run) {
    const Trunk trunk{pyramid, channels, weights, workspace, set};
    for (int layer = 0; layer < pyramid_layers; ++layer)
        run_layer(trunk, layer, means + layer * channels, run);
}

void trunk_backward(const ConvolutionPyramid& pyramid, std::int64_t channels, const TrunkWeights& weights,
                    TrunkWorkspace& workspace, const float* mean_gradients, const TrunkGradients& gradients,
                    VectorSet set, const PartRunner& run) {
    const Trunk trunk{pyramid, channels, weights, workspace, set};
    for (int layer = pyramid_layers - 1; layer >= 0; --layer)
        run_layer_back(trunk, layer, mean_gradients + layer * channels, gradients[at(layer)], run);
}

} // namespace sparsight
