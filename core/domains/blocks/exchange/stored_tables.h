// The ports of instructions that a workspace keeps with its machines.
#pragma once

#include "base/error.h"
#include "domains/blocks/tables/machine_tables.h"

namespace sparsight {

class Workspace;

/// Of all machines that have them. Errors: a table that can't be read (Input), with the workspace and the
/// machine; those of the workspace.
[[nodiscard]] Result<MachineTables> stored_port_tables(Workspace& workspace);

} // namespace sparsight
