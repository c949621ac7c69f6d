// The table of fine-tunings.
#pragma once

#include "gui/train/runs_model.h"

namespace sparsight {

class TrainingRuns;

/// Of the last of them, when each was started.
inline constexpr int started_place = 7;

[[nodiscard]] std::vector<RecordColumn<RunRow>> fine_tuning_columns(const TrainingRuns& runs);

} // namespace sparsight
