// A SuperSchedule in plain words.
#pragma once

#include "schedule/super_schedule.h"

namespace sparsight {

/// Two sentences, the first on how A is stored, by its common name where it has one, the second on who works
/// on what:
///   "A is stored by row blocks of 4 (dense), then columns (compressed), then rows in a block (dense).
///    8 threads take 16 row blocks at a time; the columns of C run in strips of 64."
/// A split that the order of the loops undoes is said to change nothing.
[[nodiscard]] std::string describe(const SuperSchedule& schedule);

} // namespace sparsight
