#include "store/workspace_location.h"

#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

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
