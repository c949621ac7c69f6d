// This computer: found out, measured, and as a workspace knows it.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "machine/machine_description.h"
#include "store/machines.h"

#include <functional>
#include <stop_token>

namespace sparsight {

class Session;
class Workspace;

/// What Linux tells about it; nothing is measured.
[[nodiscard]] Result<MachineDescription> describe_this_machine();
/// Measured as well, in about eight seconds. A remark tells when other programs took so
/// much of the computer meanwhile that the figures are too low.
[[nodiscard]] Result<MachineDescription>
measure_this_machine(const Session& session, const ProgressSink& progress, const std::stop_token& stop);

/// As the workspace knows it; what was measured of it before stays. Where it is not known yet, what
/// `describe` finds out is recorded.
[[nodiscard]] Result<MachineRecord>
this_machine(Workspace& workspace,
             const std::function<Result<MachineDescription>()>& describe = &describe_this_machine);

} // namespace sparsight
