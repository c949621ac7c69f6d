// Placing edges by descending a 2^levels square, one quadrant a level: shared by R-MAT and the fast
// Kronecker sampler.
#pragma once

#include "base/random.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <stop_token>

namespace sparsight {

/// Weights of the quadrants; only their ratios matter. At least one must be positive.
struct QuadrantWeights {
    double upper_left = 0;
    double upper_right = 0;
    double lower_left = 0;
    double lower_right = 0;
};

/// `edges` independent draws, so places may repeat. levels <= 31.
CooPattern place_edges(const QuadrantWeights& weights, int levels, std::int64_t edges, Random& random,
                       const std::stop_token& stop);

} // namespace sparsight
