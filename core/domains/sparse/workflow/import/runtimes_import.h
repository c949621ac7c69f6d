// Runtimes that were measured elsewhere, into the workspace.
#pragma once

#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/runtime_tables.h"
#include "store/workspace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct RuntimesImportRequest {
    std::vector<std::string> files; ///< tables, or folders in WACO's form
    std::string machine;            ///< of tables that do not name it
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string matrices; ///< a folder with the entries of matrices; empty: none
};

struct ImportedRuntimes {
    std::map<std::string, TableMatrix, std::less<>> named; ///< by tables
    std::int64_t matrices_of_folders = 0;
    std::int64_t patterns = 0;
    std::int64_t measurements = 0;
    std::int64_t already_there = 0;
    std::int64_t replaced = 0;
    std::int64_t failed_runs = 0;
    std::int64_t outliers = 0;
    std::vector<Error> problems; ///< files and lines that could not be taken
    bool is_stopped = false;     ///< before all was read; what was read is imported

    [[nodiscard]] std::int64_t matrices() const { return std::ssize(named) + matrices_of_folders; }
    void add(const std::vector<Error>& more) { problems.insert(problems.end(), more.begin(), more.end()); }
};

/// Errors are those of the workspace.
[[nodiscard]] Result<ImportedRuntimes> import_runtimes(Workspace& workspace,
                                                       const RuntimesImportRequest& request,
                                                       Observer& observer, const std::stop_token& stop);

} // namespace sparsight
