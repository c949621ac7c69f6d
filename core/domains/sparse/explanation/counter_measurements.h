// A schedule's kernel run under the processor's counters.
#pragma once

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "evaluation/diagnosis/hardware_counters.h"

#include <stop_token>

namespace sparsight {

/// Of one run, as the mean of `repeats` after a first one that is not counted; the team must have been made
/// after the counters were opened. Stops between runs. Errors: it can't be packed or compiled;
/// Fault::Cancelled.
[[nodiscard]] Result<HardwareCounts> count_runs(const HardwareCounters& counters,
                                                const SuperSchedule& schedule, KernelInputs& workload,
                                                KernelCompiler& compiler, Team& team, int repeats,
                                                const std::stop_token& stop = {});

/// What the processor counts in a run of each side of a measured explanation, or why it was not counted: a
/// side that was cut off may run for ever and is left out. The explanation stands without. Errors:
/// Fault::Cancelled.
[[nodiscard]] Result<void> count_both_sides(const Result<HardwareCounters>& counters,
                                            Explanation& explanation, KernelInputs& workload,
                                            KernelCompiler& compiler, Team& team,
                                            const std::stop_token& stop = {});

} // namespace sparsight
