// The rematch of an evaluation (collection/rematch.h): which schedules are measured again in turns (fixed
// CSR, the likely best of each model, and candidates for the best of all), and how their times enter the
// evaluation.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/choices.h"
#include "evaluation/model_evaluation.h"

#include <cstddef>
#include <vector>

namespace sparsight {

inline constexpr std::size_t contenders_of_a_model = 4;
inline constexpr std::size_t contenders_of_all =
    4; ///< number of the fastest schedules ever measured in this setting

/// The schedules to measure, by the known times: fixed CSR, the fastest of each model's k and its first
/// choice, the fastest of all; without duplicates, canonical. Empty where fixed CSR or a model has no time:
/// no comparison is possible there.
[[nodiscard]] Result<std::vector<SuperSchedule>>
contenders(Workspace& workspace, const EvaluationScope& scope, const MatrixRecord& matrix);

/// The times of one run and matrix; there may be none.
class RematchTimes {
public:
    [[nodiscard]] static Result<RematchTimes> read(Workspace& workspace, RunId run, WorkloadId matrix);

    /// Makes the times that were taken in turns the ones to compare, each relative to fixed CSR in the same
    /// turn, and that of the fastest by turns that did not choose it (time_differences.h). Changes nothing
    /// where fixed CSR or all of the model's k have none.
    void apply_to(EvaluatedMatrix& evaluated, Operator op, int k) const;

    /// The schedules without a time that should have been measured.
    [[nodiscard]] std::vector<MissedTurns> missed(const std::string& matrix) const;

    /// Whether exactly these schedules were measured, in `turns` turns, or could not be.
    [[nodiscard]] bool are_of(const std::vector<SuperSchedule>& schedules, int turns) const;

private:
    struct Time {
        SuperSchedule meaning;
        RematchTime measured;
    };

    [[nodiscard]] const RematchTime* find(const SuperSchedule& schedule) const;
    /// nullptr where it has no time, or not in as many turns as fixed CSR.
    [[nodiscard]] const RematchTime* time_of(const SuperSchedule& schedule, const RematchTime& fixed) const;

    std::vector<Time> times_;
};

} // namespace sparsight
