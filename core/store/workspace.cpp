#include "store/workspace.h"

#include "store/measurements.h"
#include "store/runs.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/workspace_file.h"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace sparsight {

Workspace::Workspace(std::unique_ptr<Database> database)
    : database_(std::move(database)) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

const std::filesystem::path& Workspace::path() const {
    return database_->path();
}

namespace {

/// SQLite maps this much of its lock file.
constexpr std::uintmax_t mapped_lock_file_bytes = std::uintmax_t{32} << 10;

bool has_room_beside(const std::filesystem::path& path) {
    constexpr std::uintmax_t lock_file_bytes = 2 * mapped_lock_file_bytes;
    std::error_code failed;
    const auto space = std::filesystem::space(std::filesystem::absolute(path, failed).parent_path(), failed);
    return failed || space.available >= lock_file_bytes;
}

/// Whether unfinished writes may lie beside the file. An empty log is that of a program that has the file
/// open and may write at any moment; but a program whose first write found the disk full leaves one, too,
/// with a lock file that nobody can use.
bool may_have_writes_pending(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::string log = path.string() + "-wal";
    if (!std::filesystem::exists(log, ignored))
        return false;
    std::error_code failed;
    const bool is_empty = std::filesystem::file_size(log, failed) == 0 && !failed;
    const auto lock_bytes = std::filesystem::file_size(path.string() + "-shm", failed);
    const bool is_left_over = is_empty && (failed || lock_bytes < mapped_lock_file_bytes);
    return !(is_left_over && !has_room_beside(path));
}

/// A file in a folder that can't be written, or on a full disk, has no place for SQLite's lock file; unless
/// somebody's unfinished writes lie beside it, it can be read as a file that never changes.
Database::Access access_for(const std::filesystem::path& path, const WorkspaceOptions& options) {
    if (options.access == WorkspaceAccess::ReadWrite)
        return Database::Access::ReadWrite;
    return !may_have_writes_pending(path) && !(may_write_beside(path) && has_room_beside(path))
               ? Database::Access::ReadImmutable
               : Database::Access::Read;
}

/// An error where a program of an older version still works on the file: its next write would fail.
Result<void> check_holders(Workspace& workspace) {
    const auto holders = live_holders(workspace);
    if (!holders)
        return std::unexpected(holders.error());
    if (holders->empty())
        return {};
    const RunHolder& holder = holders->front();
    return fail_in_file(Fault::Environment, workspace.path().string(), 0,
                        fmt::format("process {} of an older Sparsight has worked on run {} of this workspace "
                                    "since {}: wait until it ends",
                                    holder.process, static_cast<std::int64_t>(holder.run), holder.since));
}

Result<void> bring_up_to_date(Workspace& workspace, WorkspaceAccess access) {
    Database& database = workspace.database();
    const auto version = stored_version(database);
    if (!version)
        return std::unexpected(version.error());
    const std::string file = database.path().string();
    if (*version < 0)
        return fail_in_file(Fault::Input, file, 0,
                            fmt::format("the workspace is damaged: its format version is {}", *version));
    if (*version > schema_version())
        return fail_in_file(
            Fault::Input, file, 0,
            fmt::format("a newer Sparsight wrote this workspace: its format is version {}, this "
                        "program knows versions up to {}",
                        *version, schema_version()));
    if (*version == schema_version())
        return {};
    if (access == WorkspaceAccess::Read && *version >= oldest_readable_version)
        return stand_in_for_new_columns(database);
    if (access == WorkspaceAccess::Read)
        return fail_in_file(Fault::Input, file, 0,
                            fmt::format("an older Sparsight wrote this workspace: open it for writing to "
                                        "update it from format version {} to {}",
                                        *version, schema_version()));
    if (*version > 0)
        if (auto checked = check_holders(workspace); !checked)
            return checked;
    return migrate(database);
}

Result<std::unique_ptr<Database>> open_database(const std::filesystem::path& path,
                                                const WorkspaceOptions& options) {
    auto database = Database::open(path, access_for(path, options), options.busy_timeout);
    if (!database)
        return database;
    if (auto checked = check_header(**database); !checked)
        return std::unexpected(std::move(checked).error());
    // NORMAL in WAL mode: a commit survives the death of the process; only a power cut may take the last
    // ones. 16 MiB of pages: an import writes each of them once, not whenever the default of 2 MiB is full.
    if (auto set = (*database)->run_script("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; "
                                           "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY");
        !set)
        return std::unexpected(std::move(set).error());
    return database;
}

} // namespace

Result<Workspace> Workspace::create(const std::filesystem::path& path, std::string_view created_by) {
    if (auto claimed = claim_new_file(path); !claimed)
        return std::unexpected(std::move(claimed).error());
    const auto abandon = [&](Error error) {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
        return std::unexpected(std::move(error));
    };
    {
        // Marked before anything else and before WAL, so that the mark is in the file itself from here on: a
        // creation that is killed now leaves a workspace of version 0, which opens.
        auto database = Database::open(path, Database::Access::ReadWrite, WorkspaceOptions{}.busy_timeout);
        if (!database)
            return abandon(std::move(database).error());
        if (auto marked =
                (*database)->run_script(fmt::format("PRAGMA application_id = {}", workspace_application_id));
            !marked)
            return abandon(std::move(marked).error());
    }
    auto workspace = open(path);
    if (!workspace)
        return abandon(std::move(workspace).error());
    if (auto done = set_setting(*workspace, "created_by", created_by); !done)
        return abandon(std::move(done).error());
    return workspace;
}

Result<Workspace> Workspace::open(const std::filesystem::path& path, const WorkspaceOptions& options) {
    if (auto checked = check_path(path, options.access); !checked)
        return std::unexpected(std::move(checked).error());
    auto database = open_database(path, options);
    if (!database)
        return std::unexpected(std::move(database).error());
    Workspace workspace(std::move(*database));
    if (auto done = bring_up_to_date(workspace, options.access); !done)
        return std::unexpected(std::move(done).error());
    if (options.access == WorkspaceAccess::ReadWrite)
        if (auto set = workspace.database().run_script("PRAGMA journal_mode = WAL"); !set)
            return std::unexpected(std::move(set).error());
    return workspace;
}

Result<void> in_one_transaction(Workspace& workspace, const std::function<Result<void>()>& action) {
    auto transaction = Transaction::begin(workspace.database());
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    if (auto done = action(); !done)
        return done;
    return transaction->commit();
}

Result<void> set_setting(Workspace& workspace, std::string_view name, std::string_view value) {
    return workspace.database().run(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        name, value);
}

Result<std::optional<std::string>> setting(Workspace& workspace, std::string_view name) {
    return workspace.database().first([](Statement& row) { return row.text(0); },
                                      "SELECT value FROM settings WHERE name = ?", name);
}

bool WorkspaceLocation::has_file() const {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Result<Workspace> WorkspaceLocation::open(WorkspaceAccess access) const {
    Result<Workspace> workspace = Workspace::open(path, {.access = access});
    // Of an older format: whoever may write brings it up to date, and then it can be read.
    if (!workspace && access == WorkspaceAccess::Read && has_file() &&
        Workspace::open(path, {.access = WorkspaceAccess::ReadWrite}))
        workspace = Workspace::open(path, {.access = access});
    if (!workspace && !has_file())
        workspace.error().message += fmt::format("; `{} new {}` makes one", program, path);
    return workspace;
}

} // namespace sparsight
