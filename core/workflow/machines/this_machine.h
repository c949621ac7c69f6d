// This computer: found out, measured, and as a workspace knows it.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "collection/measurement_safeguards.h"
#include "machine/machine_description.h"
#include "store/machines.h"

#include <functional>
#include <stop_token>

namespace sparsight {

class Workspace;

/// The share of the processors that other programs may take before a remark says so: on two processors a
/// fifth of one, more than an idle desktop does.
inline constexpr double disturbing_share = 0.1;

/// A remark tells when it is waited for.
[[nodiscard]] Result<MeasurementLock> measuring_turn(Observer& observer, const std::stop_token& stop);

/// What Linux tells about it; nothing is measured.
[[nodiscard]] Result<MachineDescription> describe_this_machine();
/// Measured as well, in about eight seconds. A remark tells when other programs took so much of the computer
/// meanwhile that the figures are too low, or could not be had at all.
[[nodiscard]] Result<MachineDescription> measure_this_machine(Observer& observer,
                                                              const std::stop_token& stop);

/// As the workspace knows it; what was measured of it before stays. Where it is not known yet, what
/// `describe` finds out is recorded.
[[nodiscard]] Result<MachineRecord>
this_machine(Workspace& workspace,
             const std::function<Result<MachineDescription>()>& describe = &describe_this_machine);

} // namespace sparsight
