// What a tuner has after each measurement, and what the measurements took.
#pragma once

#include "learning/transfer/timed_space.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

struct TuningStep {
    std::size_t measurements = 0;
    double milliseconds = 0; ///< the fastest so far
    double spent = 0;        ///< milliseconds of all runs so far
    bool operator==(const TuningStep&) const = default;
};

/// One for each measurement. Each configuration runs once: repeats, compilation and failed runs take nothing,
/// as records have no times of them. A failure is as slow as the slowest that ran.
[[nodiscard]] std::vector<TuningStep> tuning_steps(const TimedColumn& column,
                                                   std::span<const std::size_t> order);

} // namespace sparsight
