// The first convolution of WACONet, whose input is 1 at every coordinate: an output is a sum of weight rows,
// one for each neighbour that exists. In bands and blocks most coordinates have the same neighbours as the
// one before.
#pragma once

#include "model/neighbour_products.h"

namespace sparsight {

/// rows[c] = Σ weights[bit] over the neighbours of each centre.     weights [channels] each, rows [count,
/// channels]
void unit_products(const NeighbourTable& table, CentreRange centres, const PairKernels<float>& kernels,
                   std::int64_t channels, const WeightMatrices<const float>& weights, float* rows);

/// weights[bit] += Σ rows[c] over the centres that have that neighbour.
void add_unit_outer_products(const NeighbourTable& table, CentreRange centres, std::int64_t channels,
                             const float* rows, const WeightMatrices<float>& weights);

} // namespace sparsight
