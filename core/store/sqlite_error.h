// SQLite's result codes in words for the user: which file, what happened, what can be done.
#pragma once

#include "base/error.h"

#include <chrono>
#include <filesystem>

struct sqlite3;

namespace sparsight {

[[nodiscard]] Error sqlite_error(sqlite3* database, int code, const std::filesystem::path& path,
                                 std::chrono::milliseconds busy_timeout);

} // namespace sparsight
