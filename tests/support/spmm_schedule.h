// Schedules in the tests of many folders.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <ostream>
#include <string_view>

namespace sparsight {

// A failing test shows schedules as text instead of bytes.

inline void PrintTo(const SuperSchedule& schedule, std::ostream* out) {
    *out << name(schedule.op) << " " << to_text(schedule);
}

inline void PrintTo(const ScheduleRuntime& line, std::ostream* out) {
    *out << name(line.schedule.op) << " " << to_text(line);
}

namespace testing {

/// Of a line that is right.
inline SuperSchedule spmm(std::string_view line) {
    return canonical(*parse_schedule(Operator::SpMM, line));
}

} // namespace testing
} // namespace sparsight
