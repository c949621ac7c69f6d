// Forgetting a run for good, while nobody works at it.
#pragma once

#include "base/error.h"
#include "store/runs.h"

namespace sparsight {

class Workspace;

/// With its metrics. An error where a process that lives, whoever started it, works at it: it would go on for
/// hours, and what it learns would belong to nothing.
[[nodiscard]] Result<void> discard_run(Workspace& workspace, RunId run);

} // namespace sparsight
