// The table of fine-tunings.
#pragma once

#include "gui/train/runs_model.h"

namespace sparsight {

class TrainingRuns;

[[nodiscard]] std::vector<RecordColumn<RunRow>> fine_tuning_columns(const TrainingRuns& runs);

} // namespace sparsight
