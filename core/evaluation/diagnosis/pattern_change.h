// The smallest change of the pattern that makes the other schedule win.
#pragma once

#include "base/error.h"
#include "evaluation/diagnosis/pattern_edit.h"
#include "machine/machine_parameters.h"
#include "schedule/super_schedule.h"

#include <stop_token>
#include <vector>

namespace sparsight {

struct PatternChange {
    PatternEdit edit{};
    double strength = 1;
    BlockShape blocks;
    std::int64_t entries = 0; ///< of the changed pattern
    double from_ms = 0;       ///< on it
    double to_ms = 0;         ///< below from_ms
};

/// For each edit that makes `to` faster than `from`, the least strength of 5, 10, 20, 40, 70 and 100 % that
/// does; the slightest first. Left out is what would make another matrix of it: fewer than half of the
/// entries (those that move onto one another are one), all entries on the diagonal, or blocks that edited()
/// refuses to fill. Blocks are those of the splits of `to`; without a split nothing is done to blocks. By
/// simulation of both schedules on the changed pattern. Errors: Fault::Cancelled.
[[nodiscard]] Result<std::vector<PatternChange>>
pattern_changes(const CsrPattern& pattern, const MachineParameters& machine, std::int64_t dense,
                const SuperSchedule& from, const SuperSchedule& to, const std::stop_token& stop = {});

} // namespace sparsight
