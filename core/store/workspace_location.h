// Where the workspace of a command is. It is opened when something is looked up in it, so that a command
// whose inputs are all files needs none.
#pragma once

#include "store/workspace.h"

#include <string>

namespace sparsight {

struct WorkspaceLocation {
    std::string path;
    bool is_named = false; ///< by the user; otherwise it is where workspaces usually are
    std::string program;   ///< what the user called it by, for the advice on how to make one

    /// Whether there is a file where the workspace would be.
    [[nodiscard]] bool has_file() const;
    /// Whether there should be one: a missing one is an error only where the user named it.
    [[nodiscard]] bool is_expected() const { return is_named || has_file(); }
    [[nodiscard]] Result<Workspace> open(WorkspaceAccess access) const;
};

} // namespace sparsight
