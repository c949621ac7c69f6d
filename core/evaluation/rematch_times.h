// The times of a rematch (collection/rematch.h) in an evaluation.
#pragma once

#include "base/error.h"
#include "evaluation/model_evaluation.h"
#include "store/rematches.h"

#include <vector>

namespace sparsight {

/// Those of one run and matrix; there may be none.
class RematchTimes {
public:
    [[nodiscard]] static Result<RematchTimes> read(Workspace& workspace, RunId run, MatrixId matrix);

    /// From now on the times that were taken in turns are the ones that are compared, each relative to fixed
    /// CSR in the same turn, and of the fastest by turns that did not choose it (turn_statistics.h). Nothing
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
