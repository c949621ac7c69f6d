// The matrices of a workspace; their patterns are in pattern_storage.h.
// A matrix may be known by its name alone, when only its runtimes were imported.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/pattern.h"
#include "store/splits.h"
#include "store/workloads.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

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

} // namespace sparsight
