// What schedules took when an evaluation measured them once more, in turns (collection/rematch.h). Apart from
// measurements.h: these times are comparable with each other, and with nothing else.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"
#include "store/matrices.h"
#include "store/runs.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct RematchTime {
    SuperSchedule schedule;
    /// The median of each turn, in their order: those of one place were taken beside each other. Empty: it
    /// could not be measured in all of them, and has no time.
    std::vector<double> turns_ms{};
    std::string error{}; ///< why it has none, for the user; empty where it has

    [[nodiscard]] bool has_time() const { return !turns_ms.empty(); }
    /// Of the turns; it must have a time.
    [[nodiscard]] double median_ms() const;

    bool operator==(const RematchTime&) const = default;
};

/// Replaces what this run had of this matrix.
[[nodiscard]] Result<void> record_rematch(Workspace& workspace, RunId run, MatrixId matrix,
                                          std::span<const RematchTime> times);

/// The shortest median first, behind all others those without a time; none where the run has made no rematch
/// on this matrix.
[[nodiscard]] Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run, MatrixId matrix);

} // namespace sparsight
