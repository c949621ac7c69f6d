// Which measurement is being made, written down before it is made: a kernel that crashes, hangs until it is
// killed, or eats all memory would otherwise be the first one tried after every restart, for ever.
#pragma once

#include "base/error.h"
#include "schedule/operator.h"

#include <string>

namespace sparsight {

class Workspace;

struct MeasurementInFlight {
    std::string matrix;
    Operator op = Operator::SpMM;
    std::int64_t dense = 0;
    std::string schedule;
};

/// Notes it durably; how many times it was begun in a row, this one included, without anything else being
/// begun.
[[nodiscard]] Result<int> begin_attempt(Workspace& workspace, const MeasurementInFlight& measurement);

/// Nothing is in flight any more.
[[nodiscard]] Result<void> end_attempts(Workspace& workspace);

} // namespace sparsight
