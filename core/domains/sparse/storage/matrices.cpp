#include "domains/sparse/storage/matrices.h"

#include "domains/sparse/storage/pattern_codec.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr std::string_view select_matrices =
    "SELECT m.id, m.name, m.rows, m.cols, m.nnz, m.source, m.content_hash, m.statistics, m.added, "
    "       p.matrix_id IS NULL, p.file "
    "FROM matrices m LEFT JOIN patterns p ON p.matrix_id = m.id ";

MatrixRecord read_matrix_row(Statement& row) {
    MatrixRecord matrix;
    matrix.id = row.id<WorkloadId>(0);
    matrix.name = row.text(1);
    matrix.rows = row.integer(2);
    matrix.cols = row.integer(3);
    matrix.nnz = row.integer(4);
    matrix.source = row.text(5);
    matrix.content_hash = row.text(6);
    matrix.statistics = row.text(7);
    matrix.added = row.text(8);
    if (row.integer(9) != 0)
        matrix.pattern = PatternPlace::Unknown;
    else
        matrix.pattern = row.is_null(10) ? PatternPlace::Workspace : PatternPlace::File;
    matrix.file = row.text(10);
    return matrix;
}

Result<WorkloadId> insert_name(Database& database, std::string_view name, std::string_view source) {
    if (name.empty())
        return fail(Fault::Input, "a matrix needs a name");
    if (auto done = database.run("INSERT INTO matrices (name, rows, cols, nnz, source, content_hash) "
                                 "VALUES (?, 0, 0, 0, ?, '')",
                                 name, source);
        !done)
        return std::unexpected(std::move(done).error());
    return static_cast<WorkloadId>(database.last_inserted_id());
}

} // namespace

Result<WorkloadId> add_matrix(Workspace& workspace, const MatrixOrigin& origin, const CsrPattern& pattern,
                              std::uint64_t stored_limit) {
    Database& database = workspace.database();
    const std::string hash = content_hash(pattern);
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known = find_matrix(workspace, origin.name);
    if (!known)
        return std::unexpected(known.error());
    if (*known && (*known)->pattern != PatternPlace::Unknown) {
        const MatrixRecord& other = **known;
        if (other.content_hash == hash)
            return other.id;
        return fail(
            Fault::Input,
            fmt::format(
                "another matrix is called {} already: that one is {} × {} with {} non-zeros ({}), this one "
                "{} × {} with {}; give this one another name",
                origin.name, other.rows, other.cols, other.nnz, other.source, pattern.rows, pattern.cols,
                pattern.nnz()));
    }
    const auto id =
        *known ? Result<WorkloadId>((*known)->id) : insert_name(database, origin.name, origin.source);
    if (!id)
        return id;
    if (auto done = database.run(
            "UPDATE matrices SET rows = ?, cols = ?, nnz = ?, source = ?, content_hash = ? WHERE id = ?",
            pattern.rows, pattern.cols, pattern.nnz(), origin.source, hash, *id);
        !done)
        return std::unexpected(std::move(done).error());
    if (auto done = store_pattern(workspace, *id, pattern, origin.file, stored_limit); !done)
        return std::unexpected(std::move(done).error());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<WorkloadId> add_matrix_name(Workspace& workspace, std::string_view name, std::string_view source) {
    auto transaction = Transaction::begin(workspace.database());
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known = find_matrix(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return (*known)->id;
    const auto id = insert_name(workspace.database(), name, source);
    if (!id)
        return id;
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<std::vector<MatrixRecord>> list_matrices(Workspace& workspace) {
    static const std::string sql = std::string(select_matrices) + "ORDER BY m.id";
    return workspace.database().all(read_matrix_row, sql);
}

Result<std::optional<MatrixRecord>> find_matrix(Workspace& workspace, std::string_view name) {
    static const std::string sql = std::string(select_matrices) + "WHERE m.name = ?";
    return workspace.database().first(read_matrix_row, sql, name);
}

Result<void> set_statistics(Workspace& workspace, WorkloadId matrix, std::string_view json) {
    return workspace.database().run("UPDATE matrices SET statistics = ? WHERE id = ?", json, matrix);
}

Result<void> remove_matrix(Workspace& workspace, WorkloadId matrix) {
    return workspace.database().run("DELETE FROM matrices WHERE id = ?", matrix);
}

} // namespace sparsight
