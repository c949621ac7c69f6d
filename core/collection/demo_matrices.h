// The matrices of the demo workspace: a regular mesh, a network with hubs, and pruned weights in blocks.
// Different schedules win on each.
#pragma once

#include "base/error.h"

#include <cstdint>

namespace sparsight {

class Workspace;

/// Those that are there already stay, whatever seed they were made with.
[[nodiscard]] Result<void> add_demo_matrices(Workspace& workspace, std::uint64_t seed);

} // namespace sparsight
