// What models chose for matrices within a run: the schedules that are worth measuring, best first. What they
// then took is in measurements.h.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "store/matrices.h"
#include "store/models.h"
#include "store/runs.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct ChosenSchedule {
    SuperSchedule schedule;
    double score = 0; ///< the model's; lower is faster. Not-a-number where it gave none, as to fixed CSR

    bool operator==(const ChosenSchedule&) const = default;
};

/// Replaces what this model chose for this matrix within this run. In the order of the choice.
[[nodiscard]] Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, MatrixId matrix,
                                          std::span<const ChosenSchedule> chosen);

struct ModelChoice {
    ModelId model{};
    MatrixId matrix{};
    int rank = 1; ///< from 1
    ChosenSchedule chosen;

    bool operator==(const ModelChoice&) const = default;
};

/// All of a run, by model, matrix and rank.
[[nodiscard]] Result<std::vector<ModelChoice>> list_choices(Workspace& workspace, RunId run);
/// Of one model for one matrix, in the order of the choice; none where it has not chosen.
[[nodiscard]] Result<std::vector<ChosenSchedule>> list_choices(Workspace& workspace, RunId run, ModelId model,
                                                               MatrixId matrix);

// What schedules took when an evaluation measured them once more, in turns (collection/rematch.h). Apart from
// measurements.h: these times are comparable with each other, and with nothing else.

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
