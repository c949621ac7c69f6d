// Lets a failing test show schedules as text instead of bytes.
#pragma once

#include "domains/sparse/schedule/text.h"

#include <ostream>

namespace sparsight {

inline void PrintTo(const SuperSchedule& schedule, std::ostream* out) {
    *out << name(schedule.op) << " " << to_text(schedule);
}

inline void PrintTo(const ScheduleRuntime& line, std::ostream* out) {
    *out << name(line.schedule.op) << " " << to_text(line);
}

} // namespace sparsight
