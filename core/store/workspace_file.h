// The file of a workspace: its tables, the numbered steps that lead to them, and checks of the file before
// SQLite runs a statement on it, which could otherwise finish another program's interrupted writes on its
// database.
#pragma once

#include "base/error.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace sparsight {

class Database;

/// "SpSg" in the SQLite header (PRAGMA application_id): what makes an SQLite file a workspace.
inline constexpr std::uint32_t workspace_application_id = 0x53705367;

/// Step n leads from version n to n + 1. A published step is never changed: a new format is a new step.
[[nodiscard]] std::span<const std::string_view> schema_steps();
/// The format that this program writes; PRAGMA user_version of an up-to-date file.
[[nodiscard]] inline std::int64_t schema_version() {
    return static_cast<std::int64_t>(schema_steps().size());
}

/// Brings the file up to schema_version() in one transaction: where that fails or is killed, the file is what
/// it was.
[[nodiscard]] Result<void> migrate(Database& database);

[[nodiscard]] Result<std::int64_t> stored_version(Database& database);

/// Checks that the path exists, is a file, and, if requested, is writable together with its folder.
[[nodiscard]] Result<void> check_path(const std::filesystem::path& path, WorkspaceAccess access);

/// Checks that the file is marked as a workspace, on a database that has not run a statement yet.
[[nodiscard]] Result<void> check_header(Database& database);

/// Creates an empty file, if there is none of that name: if two processes create the same one, one fails.
[[nodiscard]] Result<void> claim_new_file(const std::filesystem::path& path);

/// Whether this user may create files in the folder of `path`.
[[nodiscard]] bool may_write_beside(const std::filesystem::path& path);

} // namespace sparsight
