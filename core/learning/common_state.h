// Where processes that train together begin: all with the state of the first, which alone keeps it.
#pragma once

#include "learning/process_group.h"
#include "learning/training_state.h"

namespace sparsight {

/// The state of process 0, the same bits for all. The others give one of the same network and method.
[[nodiscard]] Result<TrainingState> common_state(const ProcessGroup& group, TrainingState mine);

} // namespace sparsight
