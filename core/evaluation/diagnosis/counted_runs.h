// A schedule's kernel run under the processor's counters.
#pragma once

#include "evaluation/diagnosis/hardware_counters.h"
#include "kernel/jit.h"
#include "kernel/team.h"
#include "kernel/workload.h"

namespace sparsight {

/// Of one run, as the mean of `repeats` after a first one that is not counted; the team must have been made
/// after the counters were opened. Errors: it can't be packed or compiled.
[[nodiscard]] Result<HardwareCounts> count_runs(const HardwareCounters& counters,
                                                const SuperSchedule& schedule, Workload& workload,
                                                KernelCompiler& compiler, Team& team, int repeats);

} // namespace sparsight
