// How large the matrices of a recorded table are, where a table beside it says so: people publish sizes more
// often than patterns.
#pragma once

#include "base/error.h"
#include "evaluation/failures/pattern_family.h"

#include <filesystem>
#include <map>
#include <string>

namespace sparsight {

using SizesByMatrix = std::map<std::string, MatrixSizes>;

/// Of matrices.csv in the folder of the table, comma-separated values whose first line names the columns
/// matrix, rows, cols and nnz, in any order, others besides. Empty where there is no such file, or one with
/// other columns: that is somebody else's. Errors name file and line.
[[nodiscard]] Result<SizesByMatrix> read_sizes_beside(const std::filesystem::path& table);

} // namespace sparsight
