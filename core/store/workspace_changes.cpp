#include "store/workspace_changes.h"

#include "store/sqlite.h"
#include "store/workspace.h"

namespace sparsight {

Result<std::int64_t> seen_version(Workspace& workspace) {
    // https://www.sqlite.org/pragma.html#pragma_data_version
    const auto version =
        workspace.database().first([](Statement& row) { return row.integer(0); }, "PRAGMA data_version");
    if (!version)
        return std::unexpected(version.error());
    return version->value_or(0);
}

} // namespace sparsight
