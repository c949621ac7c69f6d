// Checks the file of a workspace before SQLite runs a statement on it. A statement could otherwise complete
// another program's interrupted writes on its own database.
#pragma once

#include "base/error.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>

namespace sparsight {

class Database;

/// "SpSg" in the SQLite header (PRAGMA application_id): what makes an SQLite file a workspace.
inline constexpr std::uint32_t workspace_application_id = 0x53705367;

/// Checks that the path exists, is a file, and, if requested, is writable together with its folder.
[[nodiscard]] Result<void> check_path(const std::filesystem::path& path, WorkspaceAccess access);

/// Checks that the file is marked as a workspace, on a database that has not run a statement yet.
[[nodiscard]] Result<void> check_header(Database& database);

/// Creates an empty file, if there is none of that name: if two processes create the same one, one fails.
[[nodiscard]] Result<void> claim_new_file(const std::filesystem::path& path);

/// Whether this user may create files in the folder of `path`.
[[nodiscard]] bool may_write_beside(const std::filesystem::path& path);

} // namespace sparsight
