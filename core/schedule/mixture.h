// A child of two schedules, for searches that breed.
#pragma once

#include "base/random.h"
#include "schedule/super_schedule.h"

#include <optional>

namespace sparsight {

/// Each decision (the order, each split, each format, the parallel loop, the chunk) from either schedule, as
/// a coin falls; both are valid, of one operator and for the same threads. Canonical. Absent where the
/// decisions do not go together.
[[nodiscard]] std::optional<SuperSchedule> mixture(const SuperSchedule& one, const SuperSchedule& other,
                                                   Random& random);

} // namespace sparsight
