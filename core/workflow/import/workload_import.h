// Imports files that describe workloads, in any domain.
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
    std::vector<Error> failed; ///< files and workloads that failed
    std::size_t files = 0;     ///< number of files that were read

    /// Number of imported workloads that the workspace had before.
    [[nodiscard]] std::int64_t known() const {
        return std::ranges::count_if(imported, &ImportedWorkload::already_there);
    }
};

/// {"name", "source", "facts", "already_there"}
[[nodiscard]] Json imported_json(const ImportedWorkload& workload);

/// Imports files by Domain::read_workloads(), each in one transaction. A file that can't be read, or that
/// contradicts a known workload, is reported as the event "failed", and the others are still imported. Each
/// workload is reported as "imported". When it is stopped, fewer than all are imported. A workspace without
/// workloads stores the domain (workflow/chosen_setting.h). Errors are those of the workspace.
[[nodiscard]] Result<WorkloadImport> import_workloads(Workspace& workspace, const Domain& domain,
                                                      const std::vector<std::string>& files,
                                                      Observer& observer, const std::stop_token& stop);

} // namespace sparsight
