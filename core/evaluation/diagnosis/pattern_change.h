// The smallest change of the pattern that makes the other schedule win.
#pragma once

#include "base/error.h"
#include "evaluation/diagnosis/measured_lead.h"
#include "evaluation/diagnosis/pattern_edit.h"
#include "machine/machine_parameters.h"
#include "schedule/super_schedule.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace sparsight {

struct PatternChange {
    PatternEdit edit{};
    double strength = 1;
    BlockShape blocks;
    std::int64_t entries = 0; ///< of the changed pattern
    double from_ms = 0;       ///< simulated on it
    double to_ms = 0;
    /// Of `to` over `from`, measured in turns on the changed pattern (pattern_verification.h).
    std::optional<MeasuredLead> lead{};

    [[nodiscard]] double ratio() const { return to_ms / from_ms; }
};

struct PatternSearch {
    /// Those that make `to` faster than `from` by more than a simulation can't tell apart (equal_times.h),
    /// the slightest first: one at most for each edit and shape of blocks.
    std::vector<PatternChange> winning{};
    /// Of each edit that does not, the strength with which `to` comes nearest; the nearest first.
    std::vector<PatternChange> losing{};
};

/// For each edit the least of its strengths() that makes `to` win. Left out is what would make another matrix
/// of it: fewer than half of the entries (those that move onto one another are one), all entries on the
/// diagonal, all in random columns, or what edited() refuses to make. Blocks are those of the splits of both;
/// where neither is split nothing is done to blocks. By simulation of both schedules on the changed pattern.
/// Errors: Fault::Cancelled.
[[nodiscard]] Result<PatternSearch> pattern_changes(const CsrPattern& pattern,
                                                    const MachineParameters& machine, std::int64_t dense,
                                                    const SuperSchedule& from, const SuperSchedule& to,
                                                    const std::stop_token& stop = {});

} // namespace sparsight
