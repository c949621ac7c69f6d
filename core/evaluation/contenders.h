// Which schedules an evaluation measures once more (collection/rematch.h): fixed CSR, what each model may
// have found, and what may be the best of all.
#pragma once

#include "base/error.h"
#include "evaluation/model_evaluation.h"
#include "schedule/super_schedule.h"

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

} // namespace sparsight
