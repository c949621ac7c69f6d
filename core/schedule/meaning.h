// Which tried schedules are one and the same.
#pragma once

#include "schedule/super_schedule.h"

namespace sparsight {

/// What tells schedules apart that were tried: canonical, with one thread, as those that a schedule is run
/// with are the machine's.
[[nodiscard]] SuperSchedule tried_meaning(SuperSchedule schedule);

} // namespace sparsight
