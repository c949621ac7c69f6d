// What happens to the rows of a tile while they are in the cache: ReLU, its gradient, and sums over rows.
#pragma once

#include <cstdint>

namespace sparsight {

/// rows = max(rows, 0), and sums[c] += Σ rows[·, c]. A NaN stays one.     rows [count, channels]
void rectify_and_sum(float* rows, std::int64_t count, std::int64_t channels, double* sums);

/// gradient = activation > 0 ? gradient + shared : 0, where `shared` [channels] is what every row gets from
/// its layer's mean.     both [count, channels]
void add_and_mask(float* gradient, const float* activation, const float* shared, std::int64_t count,
                  std::int64_t channels);

/// sum[c] += Σ rows[·, c]     rows [count, channels]
void add_rows(const float* rows, std::int64_t count, std::int64_t channels, float* sum);

} // namespace sparsight
