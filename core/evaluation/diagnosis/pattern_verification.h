// Whether a changed pattern flips the winner on this computer, too, and not in the simulator alone.
#pragma once

#include "base/progress.h"
#include "evaluation/diagnosis/pattern_change.h"
#include "kernel/jit.h"
#include "kernel/team.h"
#include "kernel/timing.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace sparsight {

struct PatternVerification {
    std::int64_t dense = 256;
    std::size_t most = 3;                                 ///< changes that are measured
    std::function<bool()> is_over = [] { return false; }; ///< asked before each of them
    std::function<void()> tell{};                         ///< before each measurement
    std::stop_token stop{};
};

/// Measures both schedules in turns on the patterns of `search.winning`, the slightest change first, until
/// `to` wins there beyond noise; passes over those whose operands do not fit into memory. Errors:
/// Fault::Cancelled; this computer is short of memory.
[[nodiscard]] Result<void> verify_pattern_changes(PatternSearch& search, const CsrPattern& pattern,
                                                  const SuperSchedule& from, const SuperSchedule& to,
                                                  KernelCompiler& compiler, Team& team,
                                                  const PatternVerification& options);

} // namespace sparsight
