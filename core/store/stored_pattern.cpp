#include "store/stored_pattern.h"

#include "base/quantity.h"
#include "matrix/reading.h"
#include "store/pattern_codec.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <system_error>

namespace sparsight {

namespace {

struct StoredPattern {
    PatternExtents extents;
    std::string name;
    std::string content_hash;
    std::string file;
    Result<CsrPattern> stored; ///< when it is in the workspace
};

StoredPattern read_stored_pattern(Statement& row) {
    StoredPattern found{
        {row.integer(0), row.integer(1), row.integer(2)}, row.text(3), row.text(4), row.text(5), {}};
    if (row.is_null(5))
        found.stored = decode_pattern(found.extents, row.blob(6), row.blob(7));
    return found;
}

Result<CsrPattern> read_referred(const StoredPattern& found) {
    auto loaded = read_matrix(found.file);
    if (!loaded)
        return std::unexpected(std::move(loaded).error());
    if (content_hash(loaded->pattern) != found.content_hash)
        return fail_in_file(
            Fault::Input, found.file, 0,
            fmt::format("this file has changed: the workspace knows it as the matrix {} ({} × {} with "
                        "{} non-zeros), now it holds another ({} × {} with {})",
                        found.name, found.extents.rows, found.extents.cols, found.extents.nnz,
                        loaded->pattern.rows, loaded->pattern.cols, loaded->pattern.nnz()));
    return std::move(loaded->pattern);
}

} // namespace

Result<void> store_pattern(Workspace& workspace, MatrixId matrix, const CsrPattern& pattern,
                           const std::filesystem::path& file, std::uint64_t stored_limit) {
    const auto encoded = encode_pattern(pattern);
    if (!encoded)
        return std::unexpected(encoded.error());
    const std::uint64_t size = encoded->structure.size() + encoded->values.size();
    if (size <= stored_limit) {
        std::optional<std::span<const std::byte>> values;
        if (!encoded->values.empty())
            values = encoded->values;
        return workspace.database().run(
            "INSERT INTO patterns (matrix_id, structure, entry_values) VALUES (?, ?, ?)", matrix,
            std::span<const std::byte>(encoded->structure), values);
    }
    if (file.empty())
        return fail(
            Fault::Limit,
            fmt::format("this pattern takes {} compressed, over the {} that a workspace stores, and there is "
                        "no file to refer to",
                        format_bytes(size), format_bytes(stored_limit)));
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return workspace.database().run("INSERT INTO patterns (matrix_id, file) VALUES (?, ?)", matrix,
                                    (error ? file : absolute).string());
}

Result<CsrPattern> load_pattern(Workspace& workspace, MatrixId matrix) {
    auto found = workspace.database().first(
        read_stored_pattern,
        "SELECT m.rows, m.cols, m.nnz, m.name, m.content_hash, p.file, p.structure, p.entry_values "
        "FROM matrices m JOIN patterns p ON p.matrix_id = m.id WHERE m.id = ?",
        matrix);
    if (!found)
        return std::unexpected(std::move(found).error());
    const std::string workspace_file = workspace.path().string();
    if (!*found)
        return fail_in_file(Fault::Input, workspace_file, 0,
                            "the pattern of this matrix is not known: only runtimes of it were imported");
    if (!(*found)->file.empty())
        return read_referred(**found);
    auto& stored = (*found)->stored;
    if (!stored)
        return fail_in_file(stored.error().fault, workspace_file, 0,
                            fmt::format("the matrix {}: {}", (*found)->name, stored.error().message));
    return std::move(*stored);
}

} // namespace sparsight
