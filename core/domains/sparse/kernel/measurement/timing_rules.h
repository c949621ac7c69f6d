// How long a kernel is timed, by protocol.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "study/measurement.h"
#include "study/timing.h"

namespace sparsight {

/// `best` is the fastest time known for the same matrix; it makes slow schedules cheap to dismiss. A first
/// run above `longest_run` (and twice the best) is given up, too. Both matter to the adaptive protocol only.
[[nodiscard]] TimingRules timing_rules(Protocol protocol, Operator op, bool is_baseline,
                                       std::optional<Milliseconds> best,
                                       Milliseconds longest_run = Milliseconds(10'000));

} // namespace sparsight
