#include "store/workloads.h"

#include "store/sqlite.h"
#include "store/workspace.h"

namespace sparsight {

Result<std::map<WorkloadId, std::string>> workload_names(Workspace& workspace) {
    auto statement = workspace.database().query("SELECT id, name FROM matrices");
    if (!statement)
        return std::unexpected(std::move(statement).error());
    std::map<WorkloadId, std::string> names;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row)
            return names;
        names.emplace(statement->id<WorkloadId>(0), statement->text(1));
    }
}

} // namespace sparsight
