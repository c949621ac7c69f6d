// The turns of schedules in a workspace, as an evaluation stores them.
#pragma once

#include "base/error.h"
#include "domains/sparse/storage/schedules.h"
#include "store/choices.h"
#include "store/workspace.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight::testing {

struct RematchTime {
    SuperSchedule schedule;
    /// The median of each turn. Empty: it could not be measured in all turns.
    std::vector<double> turns_ms{};
    std::string error{};

    bool operator==(const RematchTime&) const = default;
};

inline Result<void> record_rematch(Workspace& workspace, RunId run, WorkloadId matrix,
                                   std::span<const RematchTime> times) {
    std::vector<ConfigurationTurns> turns;
    for (const RematchTime& time : times)
        turns.push_back({written(time.schedule), time.turns_ms, time.error});
    return record_turn_times(workspace, run, matrix, turns);
}

/// By the texts of the schedules.
inline Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run, WorkloadId matrix) {
    auto turns = list_turn_times(workspace, run, matrix);
    if (!turns)
        return std::unexpected(std::move(turns).error());
    std::vector<RematchTime> times;
    for (ConfigurationTurns& each : *turns) {
        auto schedule = read_stored_schedule(workspace, each.configuration);
        if (!schedule)
            return std::unexpected(std::move(schedule).error());
        times.push_back({*std::move(schedule), std::move(each.turns_ms), std::move(each.error)});
    }
    return times;
}

} // namespace sparsight::testing
