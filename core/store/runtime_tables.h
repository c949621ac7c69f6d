// Runtimes out of tables that others have published (runtime_table.h says which columns they have), plain or
// compressed (.gz, .bz2, .xz, .zst).
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "schedule/operator.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct TableImport {
    std::filesystem::path file{};
    /// Whom the runtimes belong to, whatever the table says; empty: the machines of the table's own column.
    /// One of this name is made when there is none.
    std::string machine{};
    Operator op = Operator::SpMM; ///< of a table that does not say
    std::int64_t dense = 256;
};

/// What a table says of a matrix.
struct TableMatrix {
    std::int64_t rows = 0; ///< 0, like cols, where it does not say
    std::int64_t cols = 0;
    std::int64_t line = 0; ///< the first that names it
};

struct TableImportReport {
    std::map<std::string, TableMatrix, std::less<>> matrices; ///< whose runtimes were taken, by name
    std::int64_t measurements = 0;                            ///< in the table and now in the workspace
    std::int64_t already_there = 0; ///< of these, those that the workspace had before, the same
    std::int64_t replaced = 0;      ///< of these, those that it had with another time
    std::int64_t failed_runs = 0;   ///< of these, those written as inf: kept as failed
    /// Of these, those under a microsecond or of 1000 ms and more: kept, and left to those who learn from
    /// them (learning/runtime_rules.h).
    std::int64_t outliers = 0;
    /// What could not be taken, each with file and line. All the rest was.
    std::vector<Error> problems;
};

/// Matrices that are new are known by name alone (pattern_folder.h gives them their patterns); one whose
/// pattern has other extents than the table says is not the same, and its runtimes are left out. Some ten
/// thousand lines are one transaction: what was stored before a stop or a kill stays, and importing the
/// table again goes on from there. Errors: no such file, no table, no machine; Fault::Cancelled; those of the
/// workspace.
[[nodiscard]] Result<TableImportReport> import_runtime_table(Workspace& workspace, const TableImport& request,
                                                             const std::stop_token& stop = {},
                                                             const ProgressSink& progress = {});

} // namespace sparsight
