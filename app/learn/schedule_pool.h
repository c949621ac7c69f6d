// The schedules that a search chooses from: what was collected, and what lies around the best of it.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"
#include "store/machines.h"
#include "store/matrices.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sparsight {

class Workspace;

struct PoolRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int threads = 1;               ///< of every schedule
    std::size_t largest = 100'000; ///< beyond the collected ones, which are all taken
    std::uint64_t seed = 1;
};

/// Each meaning once, canonical: the collected schedules of the operator, the one-step neighbours of the best
/// ones of each matrix and machine, and, where that is less than `fewest_in_pool`, what WACO's generator
/// draws for `extents`.
[[nodiscard]] Result<std::vector<SuperSchedule>>
schedule_pool(Workspace& workspace, const PoolRequest& request, const std::vector<Extents>& extents);

inline constexpr std::size_t fewest_in_pool = 2000;
inline constexpr std::size_t best_of_a_matrix = 3; ///< whose neighbours are taken

/// What was recorded of each matrix on one machine with its most frequent protocol and number of threads.
struct RecordedSchedules {
    int threads = 1;
    std::map<MatrixId, std::vector<SuperSchedule>> schedules; ///< canonical, each meaning once
};
/// Nothing where the machine has no runtimes of this kind.
[[nodiscard]] Result<std::optional<RecordedSchedules>>
recorded_schedules(Workspace& workspace, MachineId machine, Operator op, std::int64_t dense);

} // namespace sparsight
