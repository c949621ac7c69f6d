// What a network says of a schedule, weighed against what the mechanistic simulator says of it on the machine
// that the network was fine-tuned to:
//
//   score = network · f(matrix, schedule) + simulator · ln simulated milliseconds
//
// The simulator knows every schedule of every matrix without an example, but only what its terms can say of a
// machine; the network knows what examples show. Two weights are all that is learned of how far to trust
// which (stacking: Wolpert, "Stacked generalization", Neural Networks 1992), so that few measurements do.
#pragma once

#include "machine/machine_parameters.h"

#include <cstdint>
#include <optional>

namespace sparsight {

struct SimulatorBlend {
    /// As the measurements show the machine that the network was fine-tuned by, and by no others.
    MachineParameters machine;
    std::int64_t dense = 256; ///< extent of the dense index
    double network = 0;       ///< of its score
    double simulator = 1;     ///< of the logarithm of its milliseconds
    /// The network's part, from 0 to 1, of what the scores of two typical schedules differ by; absent in
    /// models that were made before it was kept.
    std::optional<double> network_share{};

    bool operator==(const SimulatorBlend&) const = default;
};

} // namespace sparsight
