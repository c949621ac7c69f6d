// Schedules of SpMM in the tests of many folders.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <string_view>

namespace sparsight::testing {

/// Of a line that is right.
inline SuperSchedule spmm(std::string_view line) {
    return canonical(*parse_schedule(Operator::SpMM, line));
}

} // namespace sparsight::testing
