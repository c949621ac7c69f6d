// The two sums that a convolution and all its derivatives are made of, over the pairs of a neighbour table,
// on plain arrays. With inputs_of_outputs() the first is the convolution, with outputs_of_inputs() and
// transposed weights its gradient by the input; the second is its gradient by the weight.
#pragma once

#include "model/kernel_map.h"
#include "model/pair_kernels.h"
#include "model/part_runner.h"

#include <array>

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

/// A weight turned around for outputs_of_inputs(): each matrix transposed, in the order of its bits.
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
                        const WeightMatrices<const T>& weights, T* centres, VectorSet set,
                        const PartRunner& run);

/// weight[bit] = Σ neighbours[n]ᵀ · centres[c] over the pairs of that bit.   The weight has its slices in the
/// order of weight_slice(), for a table made by inputs_of_outputs().
template <typename T>
void neighbour_outer_products(const NeighbourTable& table, Channels channels, const T* neighbours,
                              const T* centres, T* weight, VectorSet set, const PartRunner& run);

} // namespace sparsight
