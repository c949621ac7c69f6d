// What models chose for matrices within a run: the schedules that are worth measuring, best first. What they
// then took is in measurements.h.
#pragma once

#include "base/error.h"
#include "schedule/super_schedule.h"
#include "store/matrices.h"
#include "store/models.h"
#include "store/runs.h"

#include <span>
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

} // namespace sparsight
