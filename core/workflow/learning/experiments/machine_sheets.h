// The data sheets of the machines of a workspace.
#pragma once

#include "base/error.h"
#include "learning/transfer/unmeasured_choice.h"

namespace sparsight {

class Workspace;

/// Of all machines, by their names.
[[nodiscard]] Result<KnownSheets> known_sheets(Workspace& workspace);

} // namespace sparsight
