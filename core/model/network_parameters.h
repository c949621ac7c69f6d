// The tensors of a network: their names, shapes and first values.
#pragma once

#include "model/named_array.h"
#include "model/network_description.h"

#include <cstdint>
#include <vector>

namespace sparsight {

/// How a tensor begins its life.
enum class Initial {
    KaimingNormal, ///< N(0, √(2 / fan)): He et al. 2015, fan-out, for ReLU; MinkowskiEngine's in WACO
    Normal,        ///< N(0, 1), PyTorch's for embedding tables
    Uniform,       ///< ±1 / √fan, PyTorch's for linear layers and their bias
};

struct NetworkParameter {
    NamedShape tensor;
    Initial initial = Initial::Uniform;
    std::int64_t fan = 1;
};

/// Every tensor of the network, in the order of WACO's weights and with their names.
[[nodiscard]] std::vector<NetworkParameter> parameters(const NetworkDescription& network);
[[nodiscard]] std::vector<NamedShape> parameter_shapes(const NetworkDescription& network);

/// The same on every machine for a seed.
[[nodiscard]] std::vector<NamedArray> initial_weights(const NetworkDescription& network, std::uint64_t seed);

} // namespace sparsight
