#include "model/convolution/convolution_pass.h"

#include "model/convolution/convolution_pass.h"
#include "model/convolution/neighbour_products.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace sparsight {

namespace {

/// The gradient that a layer's outputs get from the next layer.
class ConsumerGradient {
public:
    ConsumerGradient(const ConvolutionPass& pass, int consumer)
        : table_(pass.map(consumer).outputs_of_inputs())
        , channels_(pass.shape(consumer))
        , kernels_(pass.kernels(consumer))
        , transposed_(pass.weight(consumer), pass.map(consumer).kernel_size(), channels_)
        , gradients_(pass.gradients(consumer).data()) {}

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

} // namespace

float* prepared(FloatBuffer& buffer, std::int64_t count) {
    const auto size = static_cast<std::size_t>(count);
    if (buffer.capacity() < size)
        FloatBuffer().swap(buffer);
    buffer.resize(size);
    return buffer.data();
}

FloatBuffer shared_gradient(const float* mean_gradient, std::int64_t channels, std::int64_t coordinates) {
    FloatBuffer shared;
    shared.assign(mean_gradient, mean_gradient + channels);
    for (float& value : shared)
        value /= static_cast<float>(std::max<std::int64_t>(coordinates, 1));
    return shared;
}

void forward_rows(const ConvolutionPass& pass, int layer, float* mean,
                  const std::function<WriteRows()>& writer, const PartRunner& run) {
    const std::int64_t centres = pass.map(layer).output_count();
    const std::int64_t channels = pass.channels;
    float* outputs = prepared(pass.activations(layer), centres * channels);
    const int parts = part_count(centres);
    std::vector<double> sums(static_cast<std::size_t>(parts * channels), 0.0);
    run(parts, [&](int part) {
        const WriteRows write = writer();
        for_each_tile(part_range(centres, parts, part), [&](CentreRange some) {
            float* rows = outputs + some.begin * channels;
            write(some, rows);
            rectify_and_sum(rows, some.end - some.begin, channels, sums.data() + part * channels);
        });
    });
    const double count = static_cast<double>(std::max<std::int64_t>(centres, 1));
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        double sum = 0;
        for (int part = 0; part < parts; ++part)
            sum += sums[static_cast<std::size_t>(part * channels + channel)];
        mean[channel] = static_cast<float>(sum / count);
    }
}

void backward_rows(const ConvolutionPass& pass, int layer, const float* mean_gradient, int parts,
                   bool is_kept, const std::function<UseGradient(int part)>& user, const PartRunner& run) {
    const std::int64_t centres = pass.map(layer).output_count();
    const std::int64_t channels = pass.channels;
    const FloatBuffer shared = shared_gradient(mean_gradient, channels, centres);
    const float* activations = pass.activations(layer).data();
    std::optional<ConsumerGradient> consumer;
    if (layer + 1 < pyramid_layers)
        consumer.emplace(pass, layer + 1);
    float* kept = is_kept ? prepared(pass.gradients(layer), centres * channels) : nullptr;
    run(parts, [&](int part) {
        const auto tile = std::make_unique<NeighbourTile>();
        const UseGradient use = user(part);
        FloatBuffer own_rows(is_kept ? 0 : static_cast<std::size_t>(tile_centres * channels));
        for_each_tile(part_range(centres, parts, part), [&](CentreRange some) {
            const std::int64_t count = some.end - some.begin;
            float* rows = is_kept ? kept + some.begin * channels : own_rows.data();
            if (consumer)
                consumer->write(some, *tile, rows);
            else
                std::fill_n(rows, count * channels, 0.0F);
            add_and_mask(rows, activations + some.begin * channels, shared.data(), count, channels);
            use(some, rows);
        });
    });
}

void layer_forward(const ConvolutionPass& pass, int layer, float* mean, const PartRunner& run) {
    const NeighbourTable& table = pass.map(layer).inputs_of_outputs();
    const WeightMatrices<const float> weights = pass.matrices(layer);
    const PairKernels<float> kernels = pass.kernels(layer);
    forward_rows(
        pass, layer, mean,
        [&]() -> WriteRows {
            if (layer == 0)
                return [&](CentreRange centres, float* rows) {
                    unit_products(table, centres, kernels, pass.channels, weights, rows);
                };
            return [&, tile = std::make_shared<NeighbourTile>()](CentreRange centres, float* rows) {
                tile->read(table, centres);
                tile_products(*tile, kernels, pass.shape(layer), pass.activations(layer - 1).data(), weights,
                              rows);
            };
        },
        run);
}

void layer_backward(const ConvolutionPass& pass, int layer, const float* mean_gradient,
                    float* weight_gradient, const PartRunner& run) {
    const NeighbourTable& table = pass.map(layer).inputs_of_outputs();
    const Channels shape = pass.shape(layer);
    const PairKernels<float> kernels = pass.kernels(layer);
    const int parts = part_count(table.count());
    PartialWeights<float> sums(parts, table.kernel_size, shape);
    backward_rows(
        pass, layer, mean_gradient, parts, /*is_kept=*/layer > 0,
        [&](int part) -> UseGradient {
            const WeightMatrices<float> partial = sums.cleared(part);
            if (layer == 0)
                return [&, partial](CentreRange centres, const float* rows) {
                    add_unit_outer_products(table, centres, pass.channels, rows, partial);
                };
            return [&, partial, tile = std::make_shared<NeighbourTile>()](CentreRange centres,
                                                                          const float* rows) {
                tile->read(table, centres);
                add_tile_outer_products(*tile, kernels, shape, pass.activations(layer - 1).data(), rows,
                                        partial);
            };
        },
        run);
    sums.sum_to(weight_gradient);
}

} // namespace sparsight
