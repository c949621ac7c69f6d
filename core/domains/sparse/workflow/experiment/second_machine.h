// The second machine of the report's experiment: one that was recorded, or its machine B, imagined.
#pragma once

#include "store/machines.h"
#include "study/measurement.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sparsight {

/// Nothing for the report's machine B, imagined by an earlier experiment. Errors (Fault::Input): the
/// workspace has none of this name, or it is simulated by anything else, so that what is chosen for it has no
/// times.
[[nodiscard]] Result<std::optional<MachineRecord>> recorded_second_machine(Workspace& workspace,
                                                                           const std::string& name);

/// Without runtimes yet.
[[nodiscard]] Result<MachineRecord> imagined_second_machine(Workspace& workspace, const MachineRecord& first);
/// From all that was measured of SpMM on the first machine in this setting.
[[nodiscard]] Result<void> simulate_second_machine(Workspace& workspace, const MachineRecord& first,
                                                   const MachineRecord& second, std::int64_t dense,
                                                   Protocol protocol, int threads);

} // namespace sparsight
