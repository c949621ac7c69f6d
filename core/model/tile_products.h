// The products of one tile of centres, and where the sums of many tiles meet.
#pragma once

#include "model/neighbour_products.h"
#include "model/neighbour_tile.h"

#include <algorithm>
#include <cstddef>

namespace sparsight {

/// rows[c] = Σ neighbours[n] · weights[bit] over the pairs of the tile; `rows` are those of its centres.
template <typename T>
void tile_products(const NeighbourTile& tile, const PairKernels<T>& kernels, Channels channels,
                   const T* neighbours, const WeightMatrices<const T>& weights, T* rows) {
    std::fill_n(rows, tile.centre_count() * channels.out, T{});
    for (int bit = 0; bit < tile.kernel_area(); ++bit)
        kernels.add_products(tile.pairs(bit), channels, neighbours, weights[static_cast<std::size_t>(bit)],
                             rows);
}

/// weights[bit] += Σ neighbours[n]ᵀ · rows[c] over the pairs of the tile.
template <typename T>
void add_tile_outer_products(const NeighbourTile& tile, const PairKernels<T>& kernels, Channels channels,
                             const T* neighbours, const T* rows, const WeightMatrices<T>& weights) {
    for (int bit = 0; bit < tile.kernel_area(); ++bit)
        kernels.add_outer_products(tile.pairs(bit), channels, neighbours, rows,
                                   weights[static_cast<std::size_t>(bit)]);
}

/// Calls use(centres) for each tile of a range, in order.
template <typename Use>
void for_each_tile(CentreRange range, Use&& use) {
    for (std::int64_t begin = range.begin; begin < range.end; begin += tile_centres)
        use(CentreRange{begin, std::min(begin + tile_centres, range.end)});
}

/// A weight's gradient, summed by each part for itself and then over the parts in their order.
template <typename T>
class PartialWeights {
public:
    PartialWeights(int parts, int kernel_size, Channels channels)
        : parts_(parts)
        , kernel_size_(kernel_size)
        , channels_(channels)
        , size_(kernel_size * kernel_size * channels.in * channels.out) {
        sums_.resize(static_cast<std::size_t>(parts * size_));
    }

    /// The part's own matrices, zero so far; called once by each part.
    WeightMatrices<T> cleared(int part) {
        T* own = sums_.data() + part * size_;
        std::fill_n(own, size_, T{});
        return weight_matrices(own, kernel_size_, channels_);
    }

    /// weight [kernel area, in, out]
    void sum_to(T* weight) const {
        std::copy_n(sums_.data(), size_, weight);
        for (int part = 1; part < parts_; ++part)
            for (std::int64_t at = 0; at < size_; ++at)
                weight[at] += sums_[static_cast<std::size_t>(part * size_ + at)];
    }

private:
    int parts_;
    int kernel_size_;
    Channels channels_;
    std::int64_t size_;
    AlignedBuffer<T> sums_;
};

} // namespace sparsight
