// Runtimes to learn from, of schedules that a test names.
#pragma once

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/sparse_domain.h"
#include "learning/tasks/task.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sparsight::testing {

/// Runtimes of these schedules, which are of one operator.
inline WorkloadRuntimes schedule_runtimes(std::size_t workload, std::span<const SuperSchedule> schedules,
                                          std::vector<double> milliseconds,
                                          std::vector<double> spreads = {}) {
    WorkloadRuntimes runtimes{workload, configurations_of(schedules), std::move(milliseconds),
                              std::move(spreads)};
    if (const auto baseline = std::ranges::find_if(schedules, &is_fixed_csr); baseline != schedules.end())
        runtimes.baseline = static_cast<std::size_t>(baseline - schedules.begin());
    return runtimes;
}

} // namespace sparsight::testing
