// Files that describe workloads of any domain into the workspace.
#pragma once

#include "base/observer.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ImportedWorkload {
    std::string name;
    std::string source; ///< the file
    std::string facts;  ///< JSON object
    bool already_there = false;
};

struct WorkloadImport {
    std::vector<ImportedWorkload> imported;
    std::vector<Error> failed; ///< files, and workloads of a file
    std::size_t files = 0;     ///< that were looked at

    /// Of the imported ones, those that were there before.
    [[nodiscard]] std::int64_t known() const {
        return std::ranges::count_if(imported, &ImportedWorkload::already_there);
    }
};

/// {"name", "source", "facts", "already_there"}
[[nodiscard]] Json imported_json(const ImportedWorkload& workload);

/// Files by Domain::read_workloads(), each in one transaction. A file that can't be read, or that describes a
/// known workload differently, leaves the others to be imported: it is complained about and told as the event
/// "failed"; workloads are told as "imported". Fewer than all where it was stopped. A workspace without
/// workloads keeps the domain (workflow/chosen_setting.h). Errors are those of the workspace.
[[nodiscard]] Result<WorkloadImport> import_workloads(Workspace& workspace, const Domain& domain,
                                                      const std::vector<std::string>& files,
                                                      Observer& observer, const std::stop_token& stop);

} // namespace sparsight
