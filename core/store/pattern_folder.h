// Patterns for matrices that are known by name alone, out of a folder of matrix files.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "store/runtime_tables.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// The matrix files of a folder by the names of their matrices: "cage8" → "cage8.mtx.gz". Of several files
/// with one name the first in alphabetical order. Error: the folder can't be read.
[[nodiscard]] Result<std::map<std::string, std::filesystem::path, std::less<>>>
matrix_files(const std::filesystem::path& folder);

struct PatternFolderReport {
    std::int64_t patterns = 0;   ///< added
    std::vector<Error> problems; ///< files that could not be taken, each with the reason
};

/// Gives every matrix of the workspace that is known by name alone the pattern of the file of its name. A
/// file with other extents than `said` tells is another matrix and a problem. Each is stored when it is read.
/// Errors: the folder can't be read; Fault::Cancelled; those of the workspace.
[[nodiscard]] Result<PatternFolderReport>
add_patterns(Workspace& workspace, const std::filesystem::path& folder,
             const std::map<std::string, TableMatrix, std::less<>>& said = {},
             const std::stop_token& stop = {}, const ProgressSink& progress = {});

} // namespace sparsight
