#include "model/convolution/neighbour_products.h"

#include <memory>

namespace sparsight {

template <typename T>
TransposedWeight<T>::TransposedWeight(const T* weight, int kernel_size, Channels channels)
    : kernel_area_(kernel_size * kernel_size)
    , matrix_size_(channels.in * channels.out) {
    values_.resize(static_cast<std::size_t>(kernel_area_ * matrix_size_));
    const WeightMatrices<const T> forward = weight_matrices(weight, kernel_size, channels);
    T* to = values_.data();
    for (int bit = 0; bit < kernel_area_; ++bit) {
        const T* from = forward[static_cast<std::size_t>(kernel_area_ - 1 - bit)];
        for (std::int64_t out = 0; out < channels.out; ++out)
            for (std::int64_t in = 0; in < channels.in; ++in)
                *to++ = from[in * channels.out + out];
    }
}

template <typename T>
WeightMatrices<const T> TransposedWeight<T>::matrices() const {
    WeightMatrices<const T> matrices{};
    for (int bit = 0; bit < kernel_area_; ++bit)
        matrices[static_cast<std::size_t>(bit)] = values_.data() + bit * matrix_size_;
    return matrices;
}

namespace {

/// With one input channel a centre is a weighted sum of rows that stay in the cache; lists of pairs would
/// cost more.
template <typename T>
void single_channel_products(const NeighbourTable& table, CentreRange range, const PairKernels<T>& kernels,
                             std::int64_t channels_out, const T* neighbours,
                             const WeightMatrices<const T>& weights, T* centres) {
    std::array<T, max_kernel_size * max_kernel_size> scales;
    WeightMatrices<const T> rows{};
    for (std::int64_t centre = range.begin; centre < range.end; ++centre) {
        int count = 0;
        for_each_neighbour(table, centre, [&](int bit, std::int32_t neighbour) {
            scales[static_cast<std::size_t>(count)] = neighbours[neighbour];
            rows[static_cast<std::size_t>(count)] = weights[static_cast<std::size_t>(bit)];
            ++count;
        });
        kernels.weighted_sum(count, scales.data(), rows.data(), channels_out,
                             centres + centre * channels_out);
    }
}

} // namespace

template <typename T>
void neighbour_products(const NeighbourTable& table, Channels channels, const T* neighbours,
                        const WeightMatrices<const T>& weights, T* centres, VectorInstructions set,
                        const PartRunner& run) {
    const int parts = part_count(table.count());
    const PairKernels<T> kernels = pair_kernels(channels, set, T{});
    run(parts, [&](int part) {
        const CentreRange range = part_range(table.count(), parts, part);
        if (channels.in == 1) {
            single_channel_products(table, range, kernels, channels.out, neighbours, weights, centres);
            return;
        }
        const auto tile = std::make_unique<NeighbourTile>();
        for_each_tile(range, [&](CentreRange some) {
            tile->read(table, some);
            tile_products(*tile, kernels, channels, neighbours, weights, centres + some.begin * channels.out);
        });
    });
}

template <typename T>
void neighbour_outer_products(const NeighbourTable& table, Channels channels, const T* neighbours,
                              const T* centres, T* weight, VectorInstructions set, const PartRunner& run) {
    const int parts = part_count(table.count());
    const PairKernels<T> kernels = pair_kernels(channels, set, T{});
    PartialWeights<T> sums(parts, table.kernel_size, channels);
    run(parts, [&](int part) {
        const auto tile = std::make_unique<NeighbourTile>();
        const WeightMatrices<T> weights = sums.cleared(part);
        for_each_tile(part_range(table.count(), parts, part), [&](CentreRange some) {
            tile->read(table, some);
            add_tile_outer_products(*tile, kernels, channels, neighbours, centres + some.begin * channels.out,
                                    weights);
        });
    });
    sums.sum_to(weight);
}

template class TransposedWeight<float>;
template class TransposedWeight<double>;
template void neighbour_products(const NeighbourTable&, Channels, const float*,
                                 const WeightMatrices<const float>&, float*, VectorInstructions,
                                 const PartRunner&);
template void neighbour_products(const NeighbourTable&, Channels, const double*,
                                 const WeightMatrices<const double>&, double*, VectorInstructions,
                                 const PartRunner&);
template void neighbour_outer_products(const NeighbourTable&, Channels, const float*, const float*, float*,
                                       VectorInstructions, const PartRunner&);
template void neighbour_outer_products(const NeighbourTable&, Channels, const double*, const double*, double*,
                                       VectorInstructions, const PartRunner&);

} // namespace sparsight
