// Matrix files into the workspace.
#pragma once

#include "base/observer.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "store/workspace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct ImportedMatrix {
    std::string name;
    std::string source;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    ReadReport report;
    bool already_there = false;
};

/// Under `name`, or, when that is empty, under the file's. The error carries the file, or that of the
/// workspace when it is the one that failed; Fault::Cancelled when it was stopped.
[[nodiscard]] Result<ImportedMatrix> import_file(Workspace& workspace, const std::string& file,
                                                 const std::string& name, int threads,
                                                 const std::stop_token& stop);

/// {"name", "rows", "cols", "nnz", "source", "duplicates_merged", "explicit_zeros", "already_there"}.
[[nodiscard]] Json imported_json(const ImportedMatrix& matrix);

struct ImportRequest {
    std::vector<std::string> files;
    std::string name; ///< of the matrix of a single file; empty: as the file is named
    int threads = 1;  ///< that read a file
};

struct ImportReport {
    std::vector<ImportedMatrix> imported;
    std::vector<Error> failed;

    [[nodiscard]] std::size_t size() const { return imported.size() + failed.size(); }
    /// Of the imported ones, those that were there before.
    [[nodiscard]] std::int64_t known() const {
        return std::ranges::count_if(imported, &ImportedMatrix::already_there);
    }
};

/// A file that can't be read leaves the others to be imported: it is complained about and told as the event
/// "failed", the others as "imported". Fewer than all where it was stopped. Errors are those of the
/// workspace.
[[nodiscard]] Result<ImportReport> import_files(Workspace& workspace, const ImportRequest& request,
                                                Observer& observer, const std::stop_token& stop);

/// The report's whole collection, which is offered beside the families.
inline constexpr std::string_view simulated_matrices_name = "simulated-matrices";

struct GenerationRequest {
    std::string family;
    ParameterValues values{};
    std::optional<int> count; ///< absent: one, or as many as the collection has
    std::string name;         ///< of the matrices; empty: the family's
    std::uint64_t seed = 1;
};

struct GeneratedMatrix {
    std::string name;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    std::string source;
    bool already_there = false;
};

/// {"name", "rows", "cols", "nnz", "source", "already_there"}.
[[nodiscard]] Json generated_json(const GeneratedMatrix& matrix);

struct GeneratedMatrices {
    std::vector<GeneratedMatrix> matrices;
    std::vector<Error> failed;
    bool is_complete = false; ///< all that were asked for were made or have failed

    [[nodiscard]] std::int64_t known() const;
};

/// Each is stored when it is made, and told as the event "simulated"; one that can't be made, or whose name
/// is taken, is complained about and told as "failed". Errors: those of the workspace; for the collection,
/// values that it can't be made of.
[[nodiscard]] Result<GeneratedMatrices> generate_matrices(Workspace& workspace,
                                                          const GenerationRequest& request,
                                                          Observer& observer, const std::stop_token& stop);

} // namespace sparsight
