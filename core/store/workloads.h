// The workloads of a workspace.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <string>

namespace sparsight {

class Workspace;

enum class WorkloadId : std::int64_t {};

[[nodiscard]] Result<std::map<WorkloadId, std::string>> workload_names(Workspace& workspace);

} // namespace sparsight
