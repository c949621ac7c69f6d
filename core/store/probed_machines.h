// Computers that were probed, as a workspace remembers them.
#pragma once

#include "machine/machine_description.h"
#include "store/machines.h"

namespace sparsight {

/// As record_machine(); what a calibration found out about the same computer stays, as the new description
/// has none of it.
[[nodiscard]] Result<MachineId> record_probed_machine(Workspace& workspace, MachineDescription machine);

} // namespace sparsight
