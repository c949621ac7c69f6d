// A machine as it ran what was measured on it.
#pragma once

#include "machine/machine_parameters.h"

namespace sparsight {

/// resolve_parameters() with the threads that kernels ran on, no more than the machine has: a recorded
/// schedule may name more. Of a machine whose threads and cores nobody knows it has as many of both.
[[nodiscard]] MachineParameters running_parameters(const MachineDescription& machine, int threads);

} // namespace sparsight
