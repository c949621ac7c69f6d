// The matrix, the schedule and the machine that a request names, found.
#pragma once

#include "domains/sparse/workflow/explanation/explain_study.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "workflow/machines/named_machines.h"

#include <string>
#include <vector>

namespace sparsight {

/// What a request is held against is left alone.
struct NamedSubject {
    NamedMatrix matrix;
    NamedMachine machine;
    SuperSchedule schedule; ///< with the threads of the request or, simulated, of the machine
    std::vector<std::string> remarks{};
};
[[nodiscard]] Result<NamedSubject> named_subject(const WorkspaceLocation& location,
                                                 const ExplainRequest& request);

} // namespace sparsight
