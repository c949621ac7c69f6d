// The timeline of a schedule's threads, recorded on this computer, and what recording costs.
#pragma once

#include "base/observer.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "study/measurement.h"

#include <span>
#include <stop_token>

namespace sparsight {

struct RecordingOptions {
    PackingLimits limits;
    Milliseconds longest_run{1000}; ///< a schedule whose first run takes longer is not recorded
    int least_turns = 9;            ///< of a plain and a recorded run each
    int most_turns = 201;
    Milliseconds budget{800}; ///< after least_turns none is begun beyond it; of slow runs three turns do
    std::stop_token stop{};
    ProgressSink progress{};
    MillisecondClock clock = steady_clock();
};

/// What recorded runs take longer than plain ones. Turns by turns the plain run comes first and second; the
/// medians of the ratios of both orders are combined, so that the second run's warmer caches cancel.
[[nodiscard]] RecordingOverhead recording_overhead(std::span<const Milliseconds> plain,
                                                   std::span<const Milliseconds> recorded);

/// Runs the schedule without and with recording in turns, on the team's threads, checks the result, and gives
/// the recorded run of median time. The machine's name is left to the caller. Errors: storage that is too
/// large or a first run that takes too long (Fault::Limit), a wrong result, Fault::Cancelled.
[[nodiscard]] Result<ThreadTimeline> record_timeline(const SuperSchedule& schedule, KernelInputs& inputs,
                                                     KernelCompiler& compiler, Team& team,
                                                     const RecordingOptions& options = {});

} // namespace sparsight
