// The second machine of the report's experiment: one that was recorded, or its machine B, imagined.
#pragma once

#include "collection/collector.h"
#include "store/machines.h"

#include <string>

namespace sparsight {

/// An error (Fault::Input) where the workspace has none of this name.
[[nodiscard]] Result<MachineRecord> recorded_second_machine(Workspace& workspace, const std::string& name);

/// Without runtimes yet.
[[nodiscard]] Result<MachineRecord> imagined_second_machine(Workspace& workspace, const MachineRecord& first);
/// From all that was measured of SpMM on the first machine in this setting.
[[nodiscard]] Result<void> simulate_second_machine(Workspace& workspace, const MachineRecord& first,
                                                   const MachineRecord& second,
                                                   const CollectionRequest& measuring);

} // namespace sparsight
