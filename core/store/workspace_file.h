// What can be said of a workspace's file before SQLite runs a statement on it: on another program's database
// the first one might finish that program's interrupted writes.
#pragma once

#include "base/error.h"
#include "store/workspace.h"

#include <filesystem>

namespace sparsight {

class Database;

/// There, a file, and writable together with its folder, if that is asked.
[[nodiscard]] Result<void> check_path(const std::filesystem::path& path, WorkspaceAccess access);

/// Marked as ours, on a database that has not run a statement yet.
[[nodiscard]] Result<void> check_header(Database& database);

/// Makes an empty file, if there is none of that name: of two processes that create the same one, one fails.
[[nodiscard]] Result<void> claim_new_file(const std::filesystem::path& path);

/// Whether this user may create files in the folder of `path`.
[[nodiscard]] bool may_write_beside(const std::filesystem::path& path);

} // namespace sparsight
