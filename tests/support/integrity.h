// Whether a workspace file is whole.
#pragma once

#include "base/error.h"
#include "store/intact_rows.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <string>
#include <vector>

namespace sparsight::testing {

/// Reads the whole file. The flaws that SQLite finds, and the measurements that do not match their checksums.
inline Result<std::vector<std::string>> flaws_of(Workspace& workspace) {
    const auto text = [](Statement& row) { return row.text(0); };
    auto flaws = workspace.database().all(text, "PRAGMA integrity_check(5)");
    if (!flaws)
        return std::unexpected(flaws.error());
    std::erase(*flaws, "ok");
    const auto altered = workspace.database().all(
        text, checked("SELECT 'measurement ' || m.id FROM measurements m WHERE NOT {}"));
    if (!altered)
        return std::unexpected(altered.error());
    flaws->insert(flaws->end(), altered->begin(), altered->end());
    return flaws;
}

inline bool is_whole(Workspace& workspace) {
    const auto flaws = flaws_of(workspace);
    return flaws && flaws->empty();
}

} // namespace sparsight::testing
