// A rematch: configurations that lie close together are measured once more, in turns, so that whatever else
// the machine does meanwhile disturbs all of them alike. Times that were taken an hour apart can't be
// compared that closely: the same configuration was seen 20 % slower on a virtual machine, more than the best
// configurations of a workload differ. And the fastest of a thousand noisy times is the luckiest of the good
// ones: only a second time tells how fast it is.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "collection/measuring_domain.h"
#include "store/choices.h"

#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

inline constexpr int rematch_turns = 5;

/// Each configuration's times by turn, in the order of the arguments; one that can't be measured in every
/// turn has none, and the error. Every other turn goes backwards. Cancelled when it is stopped between two
/// measurements: half a turn compares nothing. `progress` counts measurements. Error (Input): fewer than one
/// turn.
[[nodiscard]] Result<std::vector<ConfigurationTurns>>
measure_in_turns(WorkloadMeasurer& measurer, std::span<const WrittenConfiguration> configurations,
                 int turns = rematch_turns, const std::stop_token& stop = {},
                 const ProgressSink& progress = {});

} // namespace sparsight
