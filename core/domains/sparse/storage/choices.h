// The SuperSchedules that models chose, and the times of their rematches (store/choices.h).
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "store/choices.h"
#include "store/models.h"
#include "store/runs.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct ChosenSchedule {
    SuperSchedule schedule;
    double score =
        0; ///< the model's score; lower is faster. Not-a-number where it gave none, as for fixed CSR

    bool operator==(const ChosenSchedule&) const = default;
};

/// Replaces the choices of this model for this matrix within this run. In the order of the choice.
[[nodiscard]] Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId matrix,
                                          std::span<const ChosenSchedule> chosen);

struct ModelChoice {
    ModelId model{};
    WorkloadId matrix{};
    int rank = 1; ///< from 1
    ChosenSchedule chosen;

    bool operator==(const ModelChoice&) const = default;
};

/// All choices of a run, by model, matrix and rank.
[[nodiscard]] Result<std::vector<ModelChoice>> list_choices(Workspace& workspace, RunId run);
/// The choices of one model for one matrix, in their order; empty where it has not chosen.
[[nodiscard]] Result<std::vector<ChosenSchedule>> list_choices(Workspace& workspace, RunId run, ModelId model,
                                                               WorkloadId matrix);

/// The times of one schedule in a rematch.
struct RematchTime {
    SuperSchedule schedule;
    /// The median of each turn, in their order; times at the same place were taken beside each other. Empty:
    /// the schedule could not be measured in all turns, and has no time.
    std::vector<double> turns_ms{};
    std::string error{}; ///< why it has no time, for the user; empty where it has one

    [[nodiscard]] bool has_time() const { return !turns_ms.empty(); }
    /// The median of the turns; it must have a time.
    [[nodiscard]] double median_ms() const;

    bool operator==(const RematchTime&) const = default;
};

/// Replaces the rematch of this run on this matrix.
[[nodiscard]] Result<void> record_rematch(Workspace& workspace, RunId run, WorkloadId matrix,
                                          std::span<const RematchTime> times);

/// The times of a rematch, the shortest median first, schedules without a time last; empty where the run has
/// made no rematch on this matrix.
[[nodiscard]] Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run,
                                                            WorkloadId matrix);

} // namespace sparsight
