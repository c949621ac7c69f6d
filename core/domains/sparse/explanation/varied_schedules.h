// The schedules of a matrix that commands and pages rank where nobody names some.
#pragma once

#include "base/error.h"
#include "domains/sparse/simulator/schedule_ranking.h"
#include "domains/sparse/storage/schedules.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

class Workspace;

/// What has a time of its own, the fastest first (store/results.h).
[[nodiscard]] Result<std::vector<ResultRow>> measured_rows(Workspace& workspace, const ResultFilter& filter);

/// The five fastest of these rows, without those whose times were simulated, and drawn ones: `count` with
/// fixed CSR. The rows are of any machine, as the same schedules are compared on several.
[[nodiscard]] ScheduleSetRequest varied_schedules(Operator op, std::int64_t dense,
                                                  std::span<const ResultRow> measured, std::size_t count,
                                                  std::uint64_t seed);

} // namespace sparsight
