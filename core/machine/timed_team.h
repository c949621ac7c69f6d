// Times the same piece of work on several threads at once, as the measurements of a machine need it.
#pragma once

#include "base/error.h"
#include "base/quantity.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace sparsight {

struct TeamWork {
    /// Once on each thread before the clock runs: allocate, and touch first what lies in memory there.
    std::function<void(int thread)> prepare;
    /// One round on one thread; all start together, and the slowest ends the round.
    std::function<void(int thread)> round;
};

/// Runs the work on threads that are bound to the given processors, one each, and returns the median duration
/// of a round. The first round is a warm-up; at least 3 rounds follow, more while the budget lasts (preparing
/// counts). Errors: Cancelled; Environment when threads or memory can't be had.
[[nodiscard]] Result<Seconds> median_round(const std::vector<int>& processors, Seconds budget,
                                           const std::stop_token& stop, const TeamWork& work);

} // namespace sparsight
