// What schedules took when an evaluation measured them once more, in turns (collection/rematch.h). Apart from
// measurements.h: these times are comparable with each other, and with nothing else.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"
#include "store/matrices.h"
#include "store/runs.h"

#include <span>
#include <vector>

namespace sparsight {

struct RematchTime {
    SuperSchedule schedule;
    double median_ms = 0; ///< of the medians of the turns
    double spread_ms = 0; ///< how far those lie apart (kernel/timing.h)
    int turns = 0;        ///< 0: it could not be measured in all of them, and has no time

    bool operator==(const RematchTime&) const = default;
};

/// Replaces what this run had of this matrix.
[[nodiscard]] Result<void> record_rematch(Workspace& workspace, RunId run, MatrixId matrix,
                                          std::span<const RematchTime> times);

/// The fastest first, behind all others those without a time; none where the run has made no rematch on this
/// matrix.
[[nodiscard]] Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run, MatrixId matrix);

} // namespace sparsight
