// Whether another process has changed a workspace.
#pragma once

#include "base/error.h"

#include <cstdint>

namespace sparsight {

class Workspace;

/// Another number than the last time where somebody else has changed the file meanwhile.
[[nodiscard]] Result<std::int64_t> seen_version(Workspace& workspace);

} // namespace sparsight
