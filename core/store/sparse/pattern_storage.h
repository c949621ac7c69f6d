// Where a pattern lies: compactly in the workspace, or, where that would be over the limit, in the file that
// it was read from, by path and content hash.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "store/matrices.h"
#include "store/sparse/runtime_tables.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// For a matrix without a pattern yet. `file` may be empty. Error: over the limit (bytes, compressed) and no
/// file.
[[nodiscard]] Result<void> store_pattern(Workspace& workspace, MatrixId matrix, const CsrPattern& pattern,
                                         const std::filesystem::path& file, std::uint64_t stored_limit);

/// Errors: the pattern is unknown; its file is gone or holds another matrix now; the stored bytes are
/// damaged.
[[nodiscard]] Result<CsrPattern> load_pattern(Workspace& workspace, MatrixId matrix);

// The statistics of a matrix as its workspace keeps them: computing them reads the whole pattern.

/// A JSON object: the name of each of statistics(), in their order, with its number.
[[nodiscard]] std::string statistics_text(const PatternStatistics& statistics);
/// Nothing where a statistic is missing or unknown: another version of this program wrote it.
[[nodiscard]] std::optional<PatternStatistics> parse_statistics(std::string_view text);

/// Of a matrix whose pattern is known: those that are kept, or else computed, and kept from then on where the
/// workspace can be written. Errors: those of load_pattern().
[[nodiscard]] Result<PatternStatistics> matrix_statistics(Workspace& workspace, const MatrixRecord& matrix,
                                                          int threads);

// Patterns for matrices that are known by name alone, out of a folder of matrix files.

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
