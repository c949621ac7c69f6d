// The matrices of a workspace, and their patterns.
// A matrix may be known by its name alone, when only its runtimes were imported.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/storage/runtime_tables.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "store/workloads.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A workload of the sparse domain.
struct MatrixRecord {
    WorkloadId id{};
    std::string name;
    std::int64_t rows = 0; ///< 0, like cols and nnz, while the pattern is unknown
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    std::string source;       ///< its origin, for the user: a path, or a generator with its parameters
    std::string content_hash; ///< see pattern_codec.h
    std::string statistics;   ///< JSON; empty until set_statistics
    PayloadPlace pattern = PayloadPlace::Unknown;
    std::string file;
    std::string added; ///< UTC, ISO 8601

    bool operator==(const MatrixRecord&) const = default;
};

[[nodiscard]] MatrixRecord matrix_record(WorkloadRecord workload);

inline constexpr std::uint64_t largest_stored_pattern = std::uint64_t{256} << 20;

/// The facts stored with a new matrix beside its pattern.
struct MatrixOrigin {
    std::string name;
    std::string source;
    std::filesystem::path
        file; ///< that read_matrix reads; empty for a generated one, which can't be referred to
};

/// Adds a matrix. Adding the same matrix again changes nothing; a name without a pattern gets this one.
/// Errors: another matrix has this name; the pattern is over the limit (bytes, compressed) and has no file.
[[nodiscard]] Result<WorkloadId> add_matrix(Workspace& workspace, const MatrixOrigin& origin,
                                            const CsrPattern& pattern,
                                            std::uint64_t stored_limit = largest_stored_pattern);
/// Adds a name without a pattern; returns the id of the existing matrix of this name, if there is one.
[[nodiscard]] Result<WorkloadId> add_matrix_name(Workspace& workspace, std::string_view name,
                                                 std::string_view source);

[[nodiscard]] Result<std::vector<MatrixRecord>> list_matrices(Workspace& workspace); ///< as they were added
[[nodiscard]] Result<std::optional<MatrixRecord>> find_matrix(Workspace& workspace, std::string_view name);

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
