// The two sums that a convolution and all its derivatives consist of, over the pairs of a neighbour table,
// on plain arrays. With inputs_of_outputs() the first is the convolution, with outputs_of_inputs() and
// transposed weights its gradient by the input; the second is its gradient by the weight.
#pragma once

#include "model/convolution/convolution_pyramid.h"
#include "model/convolution/neighbour_table.h"
#include "model/convolution/pair_kernels.h"
#include "model/convolution/part_runner.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sparsight {

/// The weight matrix of each bit of a neighbour table, [in, out] row-major.
template <typename T>
using WeightMatrices = std::array<T*, max_kernel_size * max_kernel_size>;

/// The matrices of a weight [kernel area, in, out] in the order of inputs_of_outputs()'s bits.
template <typename T>
[[nodiscard]] WeightMatrices<T> weight_matrices(T* weight, int kernel_size, Channels channels) {
    WeightMatrices<T> matrices{};
    for (int row = 0; row < kernel_size; ++row)
        for (int column = 0; column < kernel_size; ++column)
            matrices[static_cast<std::size_t>(row * kernel_size + column)] =
                weight + weight_slice(row, column, kernel_size) * channels.in * channels.out;
    return matrices;
}

/// A weight reversed for outputs_of_inputs(): each matrix transposed, in the order of its bits.
template <typename T>
class TransposedWeight {
public:
    /// `channels` are those of the convolution.
    TransposedWeight(const T* weight, int kernel_size, Channels channels);
    [[nodiscard]] WeightMatrices<const T> matrices() const;

private:
    AlignedBuffer<T> values_;
    int kernel_area_;
    std::int64_t matrix_size_;
};

/// centres[c] = Σ neighbours[n] · weights[bit] over the pairs of c.   neighbours [·, in], centres
/// [table.count(), out]
template <typename T>
void neighbour_products(const NeighbourTable& table, Channels channels, const T* neighbours,
                        const WeightMatrices<const T>& weights, T* centres, VectorInstructions set,
                        const PartRunner& run);

/// weight[bit] = Σ neighbours[n]ᵀ · centres[c] over the pairs of that bit.   The weight has its slices in the
/// order of weight_slice(), for a table made by inputs_of_outputs().
template <typename T>
void neighbour_outer_products(const NeighbourTable& table, Channels channels, const T* neighbours,
                              const T* centres, T* weight, VectorInstructions set, const PartRunner& run);

/// The size of a tile: 128 rows of 32 channels in single precision are 16 KiB.
inline constexpr std::int64_t tile_centres = 128;

/// A run of centres small enough for the first cache, with its pairs sorted by offset: each weight matrix is
/// then used for many pairs in a row, whose sums stay in the cache.
class NeighbourTile {
public:
    /// Reads the pairs of these centres, at most tile_centres.
    void read(const NeighbourTable& table, CentreRange centres) {
        centre_count_ = centres.end - centres.begin;
        kernel_area_ = table.kernel_size * table.kernel_size;
        counts_.fill(0);
        for (std::int64_t centre = centres.begin; centre < centres.end; ++centre)
            for_each_neighbour(table, centre, [&](int bit, std::int32_t neighbour) {
                const auto offset = static_cast<std::size_t>(bit);
                const auto at = static_cast<std::size_t>(counts_[offset]++);
                neighbours_[offset][at] = neighbour;
                centres_[offset][at] = static_cast<std::int32_t>(centre - centres.begin);
            });
    }

    [[nodiscard]] std::int64_t centre_count() const { return centre_count_; }
    [[nodiscard]] int kernel_area() const { return kernel_area_; }

    /// The pairs of one offset; centres count from the first one. Valid until the next read().
    [[nodiscard]] PairList pairs(int bit) const {
        const auto offset = static_cast<std::size_t>(bit);
        return {neighbours_[offset].data(), centres_[offset].data(), counts_[offset]};
    }

private:
    static constexpr std::size_t offsets = max_kernel_size * max_kernel_size;
    using Indices = std::array<std::int32_t, tile_centres>;

    std::int64_t centre_count_ = 0;
    int kernel_area_ = 0;
    std::array<int, offsets> counts_;
    std::array<Indices, offsets> neighbours_;
    std::array<Indices, offsets> centres_;
};

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

/// A weight's gradient, summed by each part separately and then over the parts in their order.
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

    /// The part's own matrices, set to zero; called once by each part.
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
