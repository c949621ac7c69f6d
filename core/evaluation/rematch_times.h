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

    /// From now on the times that were taken in turns are the ones that are compared. Nothing is changed
    /// where fixed CSR or all of the model's k have none.
    void apply_to(EvaluatedMatrix& evaluated, Operator op, int k) const;

    /// Whether these were measured in turns, or could not be, and nothing else.
    [[nodiscard]] bool are_of(const std::vector<SuperSchedule>& schedules) const;

private:
    struct Time {
        SuperSchedule meaning; ///< canonical, with one thread: those that it ran with are the machine's
        RematchTime measured;
    };

    [[nodiscard]] const RematchTime* find(const SuperSchedule& schedule) const;
    /// nullptr where it has no time, either.
    [[nodiscard]] const RematchTime* time_of(const SuperSchedule& schedule) const;

    std::vector<Time> times_; ///< the fastest first, those without a time at the end
};

} // namespace sparsight
