// This computer as a workspace knows it.
#pragma once

#include "base/error.h"
#include "store/machines.h"

namespace sparsight {

class Workspace;

/// Recorded with what Linux tells about it where it is not known yet; what was measured of it before stays.
[[nodiscard]] Result<MachineRecord> this_machine(Workspace& workspace);

} // namespace sparsight
