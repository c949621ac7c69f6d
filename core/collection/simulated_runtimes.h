// An imagined machine as the workspace knows machines: what was measured on a real one, as a simulator makes
// it out to be.
#pragma once

#include "base/error.h"
#include "machine/simulator.h"
#include "store/machines.h"
#include "store/runtimes.h"

#include <cstdint>

namespace sparsight {

class Workspace;

/// Its fingerprint, "simulated:…", tells simulator and source, so that nothing simulated from another machine
/// mixes in.
[[nodiscard]] Result<MachineId> record_simulated_machine(Workspace& workspace, const Simulator& simulator,
                                                         const MachineDescription& machine,
                                                         const MachineRecord& source);

/// Everything that was measured at the source, simulated for the machine, with the source's protocol; spreads
/// grow with the times. What failed there fails here. Again after more was measured: it is all renewed.
/// Returns how many. Errors: those of the simulator, with the matrix, and of patterns where it needs them.
[[nodiscard]] Result<std::int64_t> simulate_runtimes(Workspace& workspace, const Simulator& simulator,
                                                     const RuntimeSource& source, MachineId machine);

} // namespace sparsight
