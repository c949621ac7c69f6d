// The smallest change of the pattern that makes the other schedule win: found by simulation, and verified by
// measurements, since a win in the simulator alone proves nothing about this computer.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/explanation/pattern/pattern_edit.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/diagnosis/paired_measurement.h"
#include "machine/machine_parameters.h"
#include "study/measurement.h"

#include <cstdint>
#include <functional>
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
    /// The lead of `to` over `from`, measured in turns on the changed pattern.
    std::optional<MeasuredLead> lead{};

    [[nodiscard]] double ratio() const { return to_ms / from_ms; }
};

struct PatternSearch {
    /// Changes that make `to` faster than `from` by more than the error of a simulation
    /// (evaluation/time_differences.h), the slightest first: at most one for each edit and shape of blocks.
    std::vector<PatternChange> winning{};
    /// For each edit that does not win, the strength with which `to` comes nearest; the nearest first.
    std::vector<PatternChange> losing{};
};

/// For each edit, the least of its strengths() that makes `to` win. Changes that would give a different
/// matrix are left out: fewer than half of the entries (those that move onto one another are one), all
/// entries on the diagonal, all in random columns, or what edited() refuses to make. Blocks are those of the
/// splits of both schedules; where neither is split no block edit is tried. By simulation of both schedules
/// on the changed pattern. Errors: Fault::Cancelled.
[[nodiscard]] Result<PatternSearch> pattern_changes(const CsrPattern& pattern,
                                                    const MachineParameters& machine, std::int64_t dense,
                                                    const SuperSchedule& from, const SuperSchedule& to,
                                                    const std::stop_token& stop = {});

/// How a winning change is verified on this computer.
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
