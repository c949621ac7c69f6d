// Splits of a workspace's matrices (store/splits.h), such as those that came with imported data, as splits of
// a task set.
#pragma once

#include "base/error.h"
#include "learning/task.h"
#include "store/workspace.h"

#include <string_view>

namespace sparsight {

/// By name; what the task set does not have is left out, and what the split does not name is on no side. It
/// is taken as it stands: leaks() says whether it can be trusted. Errors: no such split; none of its training
/// matrices is in the set.
[[nodiscard]] Result<MatrixSplit> load_split(Workspace& workspace, std::string_view name, const TaskSet& set);

/// Under this name, replacing the split that has it.
[[nodiscard]] Result<void> keep_split(Workspace& workspace, std::string_view name, const MatrixSplit& split,
                                      const TaskSet& set);

} // namespace sparsight
