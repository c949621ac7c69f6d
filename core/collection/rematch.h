// A rematch: schedules that lie close together are measured once more, in turns, so that whatever else the
// machine does meanwhile disturbs all of them alike. Times that were taken an hour apart can't be compared
// that closely: the same schedule was seen 20 % slower on a virtual machine, more than the best schedules of
// a matrix differ. And the fastest of a thousand noisy times is the luckiest of the good ones: only a second
// time tells how fast it is.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/pattern.h"
#include "study/measurement.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

struct RematchSettings {
    std::int64_t dense = 256;
    int threads = 1; ///< that kernels run on; it replaces the thread count of every schedule
    Protocol protocol = Protocol::Adaptive;
    PackingLimits limits{};
    int turns = 5; ///< at least 1; every other one goes backwards
};

/// Each schedule's times by turn, in the order of the arguments; one that can't be measured in every turn has
/// none, and the error. All of one operator. Cancelled when it is stopped between two measurements: half a
/// turn compares nothing. `progress` counts measurements.
[[nodiscard]] Result<std::vector<RematchTime>> measure_in_turns(CsrPattern pattern,
                                                                std::span<const SuperSchedule> schedules,
                                                                const RematchSettings& settings,
                                                                const std::stop_token& stop = {},
                                                                const ProgressSink& progress = {});

} // namespace sparsight
