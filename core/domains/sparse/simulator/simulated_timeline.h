// The timeline of a schedule's threads as the mechanistic simulator sees it.
#pragma once

#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "machine/machine_parameters.h"

#include <stop_token>

namespace sparsight {

/// Chunks go to threads as in ChunkBalance, and the run takes as long as simulate() says: regions are opened
/// first, then the last thread ends with the run. Several regions are drawn as one, as the simulator knows
/// their chunks together only. The machine's name is left to the caller. Errors: those of
/// ProfiledPattern::profile().
[[nodiscard]] Result<ThreadTimeline> simulated_timeline(const ProfiledPattern& pattern,
                                                        const SuperSchedule& schedule, std::int64_t dense,
                                                        const MachineParameters& machine,
                                                        const std::stop_token& stop = {});

} // namespace sparsight
