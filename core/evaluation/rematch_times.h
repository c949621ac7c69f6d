// Which schedules an evaluation measures once more (collection/rematch.h): fixed CSR, what each model may
// have found, and what may be the best of all.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/model_evaluation.h"
#include "store/choices.h"

#include <cstddef>
#include <vector>

namespace sparsight {

inline constexpr std::size_t contenders_of_a_model = 4;
inline constexpr std::size_t contenders_of_all = 4; ///< of all that were ever measured in this setting

/// By the times that are known: fixed CSR, the fastest of each model's k and its first choice, the fastest of
/// all; each meaning once, canonical. Empty where fixed CSR has no time, or a model has none: nothing is
/// compared there.
[[nodiscard]] Result<std::vector<SuperSchedule>>
contenders(Workspace& workspace, const EvaluationScope& scope, const MatrixRecord& matrix);

// The times of a rematch (collection/rematch.h) in an evaluation.

/// Those of one run and matrix; there may be none.
class RematchTimes {
public:
    [[nodiscard]] static Result<RematchTimes> read(Workspace& workspace, RunId run, MatrixId matrix);

    /// From now on the times that were taken in turns are the ones that are compared, each relative to fixed
    /// CSR in the same turn, and of the fastest by turns that did not choose it (time_differences.h). Nothing
    /// is changed where fixed CSR or all of the model's k have none.
    void apply_to(EvaluatedMatrix& evaluated, Operator op, int k) const;

    /// What has no time, though it was to be measured.
    [[nodiscard]] std::vector<MissedTurns> missed(const std::string& matrix) const;

    /// Whether these were measured in so many turns, or could not be, and nothing else.
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
