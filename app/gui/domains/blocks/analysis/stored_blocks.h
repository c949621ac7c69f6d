// What a workspace has of blocks beside their code. It takes its time: for another thread.
#pragma once

#include "base/error.h"
#include "gui/domains/blocks/analysis/block_reader.h"
#include "gui/domains/blocks/analysis/cycle_bars.h"
#include "store/workloads.h"

#include <map>
#include <string>

namespace sparsight {

/// Of the machines that have one. Errors: those of the workspace; a table can't be read.
[[nodiscard]] Result<PortTables> stored_port_tables(const std::string& workspace);

/// Cycles an iteration of a block, by machine. Errors: those of the workspace.
[[nodiscard]] Result<std::map<std::string, SaidCycles, std::less<>>>
stored_cycles(const std::string& workspace, WorkloadId block);

} // namespace sparsight
