// The score of a fine-tuned network blended with the mechanistic simulator on the machine that the network
// was fine-tuned to:
//
//   score = network · f(matrix, schedule) + simulator · ln simulated milliseconds
//
// The simulator scores every schedule of every matrix without an example, but only by the effects that its
// terms model; the network knows what examples show. Only two weights are learned, which say how far to trust
// each (stacking: Wolpert, "Stacked generalization", Neural Networks 1992), so few measurements suffice.
#pragma once

#include "machine/machine_parameters.h"

#include <cstdint>
#include <optional>

namespace sparsight {

struct SimulatorBlend {
    /// The machine as calibrated to the measurements of the fine-tuning, and to no others.
    MachineParameters machine;
    std::int64_t dense = 256; ///< extent of the dense index
    double network = 0;       ///< weight of its score
    double simulator = 1;     ///< weight of the logarithm of its milliseconds
    /// The network's part, from 0 to 1, in the difference of the scores of two typical schedules; absent in
    /// models made before it was stored.
    std::optional<double> network_share{};

    bool operator==(const SimulatorBlend&) const = default;
};

} // namespace sparsight
