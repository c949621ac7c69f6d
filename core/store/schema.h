// The tables of a workspace, and the numbered steps that lead to them from those of earlier versions.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace sparsight {

class Database;

/// Step n leads from version n to n + 1. A published step is never changed: a new format is a new step.
[[nodiscard]] std::span<const std::string_view> schema_steps();
/// The format that this program writes; PRAGMA user_version of an up-to-date file.
[[nodiscard]] inline std::int64_t schema_version() {
    return static_cast<std::int64_t>(schema_steps().size());
}

/// Brings the file up to schema_version() in one transaction: where that fails or is killed, the file is what
/// it was.
[[nodiscard]] Result<void> migrate(Database& database);

/// Files of this format and later ones can be read as they are, once stand_in_for_new_columns() was called:
/// views of this connection alone have the columns that later steps add.
inline constexpr std::int64_t oldest_readable_version = 8;
[[nodiscard]] Result<void> stand_in_for_new_columns(Database& database);

[[nodiscard]] Result<std::int64_t> stored_version(Database& database);

} // namespace sparsight
