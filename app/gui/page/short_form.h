// A schedule in so few letters that a column of a table tells it from others.
#pragma once

#include "schedule/super_schedule.h"

#include <QString>

namespace sparsight {

/// "i k i4 j · UUC · 32": the loops from the outside in, of which i4 runs within blocks of 4 rows; the
/// formats of the levels there are, U uncompressed, C compressed; the chunk. A parallel loop that is not the
/// outermost is marked: "k ∥i j". The threads are left out.
[[nodiscard]] QString short_form(const SuperSchedule& schedule);

} // namespace sparsight
