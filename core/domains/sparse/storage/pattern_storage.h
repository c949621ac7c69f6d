// Where patterns are stored: compactly in the workspace, or, above a size limit, in the file that they were
// read from, by path and content hash. The statistics of patterns are stored, too, and matrices known by
// name alone get patterns from a folder of files.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/runtime_tables.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Stores the pattern of a matrix that has none yet. `file` may be empty. Error: over the limit (bytes,
/// compressed) and no file.
[[nodiscard]] Result<void> store_pattern(Workspace& workspace, WorkloadId matrix, const CsrPattern& pattern,
                                         const std::filesystem::path& file, std::uint64_t stored_limit);

/// The pattern of a matrix. Errors: the pattern is unknown; its file is missing or holds another matrix now;
/// the stored bytes are damaged.
[[nodiscard]] Result<CsrPattern> load_pattern(Workspace& workspace, WorkloadId matrix);

/// A JSON object: the name of each of statistics(), in their order, with its number.
[[nodiscard]] std::string statistics_text(const PatternStatistics& statistics);
/// The statistics of such a text; nothing where a statistic is missing or unknown, because another version of
/// this program wrote it.
[[nodiscard]] std::optional<PatternStatistics> parse_statistics(std::string_view text);

/// The statistics of a matrix whose pattern is known: the stored ones, since computing them reads the whole
/// pattern; otherwise they are computed, and stored where the workspace can be written. Errors: those of
/// load_pattern().
[[nodiscard]] Result<PatternStatistics> matrix_statistics(Workspace& workspace, const MatrixRecord& matrix,
                                                          int threads);

/// The matrix files of a folder by the names of their matrices: "cage8" → "cage8.mtx.gz". Among several
/// files with one name, the first in alphabetical order. Error: the folder can't be read.
[[nodiscard]] Result<std::map<std::string, std::filesystem::path, std::less<>>>
matrix_files(const std::filesystem::path& folder);

struct PatternFolderReport {
    std::int64_t patterns = 0;   ///< added
    std::vector<Error> problems; ///< files that could not be used, each with the reason
};

/// Gives every matrix of the workspace that is known by name alone the pattern of the file of its name. A
/// file whose extents differ from those in `said` is another matrix and a problem. Each pattern is stored as
/// soon as it is read. Errors: the folder can't be read; Fault::Cancelled; those of the workspace.
[[nodiscard]] Result<PatternFolderReport>
add_patterns(Workspace& workspace, const std::filesystem::path& folder,
             const std::map<std::string, TableMatrix, std::less<>>& said = {},
             const std::stop_token& stop = {}, const ProgressSink& progress = {});

} // namespace sparsight
