// The arithmetic of the sparse convolution: small dense products over the index pairs of one weight matrix.
#pragma once

#include "model/vector_instructions.h"

#include <cstdint>

namespace sparsight {

/// Pairs (neighbour, centre) that share an offset; centres ascending, each at most once.
struct PairList {
    const std::int32_t* neighbours = nullptr;
    const std::int32_t* centres = nullptr;
    int count = 0;
};

struct Channels {
    std::int64_t in = 0;
    std::int64_t out = 0;
};

/// All arrays are row-major and dense. Each row's sums are taken in the same order whatever the other pairs
/// are, so that results do not depend on how the work is cut up.
template <typename T>
struct PairKernels {
    /// centres[c] += neighbours[n] · weight     neighbours [·, in], weight [in, out], centres [·, out]
    void (*add_products)(const PairList&, Channels, const T* neighbours, const T* weight, T* centres);
    /// weight += Σ neighbours[n]ᵀ · centres[c]
    void (*add_outer_products)(const PairList&, Channels, const T* neighbours, const T* centres, T* weight);
    /// sum[c] = Σ scales[i] · rows[i][c] for i < count and c < channels
    void (*weighted_sum)(int count, const T* scales, const T* const* rows, std::int64_t channels, T* sum);
    /// rows[i][c] += row[c] for i < count and c < channels
    void (*add_to_each)(int count, const T* row, T* const* rows, std::int64_t channels);
};

/// Multiples of this many output channels have vector kernels in single precision; all else is portable code.
inline constexpr std::int64_t channel_block = 32;

/// `set` must be one that this processor supports.
[[nodiscard]] PairKernels<float> pair_kernels(Channels channels, VectorInstructions set, float);
[[nodiscard]] PairKernels<double> pair_kernels(Channels channels, VectorInstructions set, double);

} // namespace sparsight
