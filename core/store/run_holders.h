// Who works at a run right now: one process at most, so that two never train the same in each other's way.
// The workspace says who it is; a process that has died, however it did, holds nothing.
#pragma once

#include "base/error.h"
#include "store/runs.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

struct RunHolder {
    RunId run{};
    std::int64_t process = 0; ///< its number on this computer
    std::string since;        ///< UTC, ISO 8601
};

/// Of the processes that live. One on another computer, or in another container, is not seen from here.
[[nodiscard]] Result<std::vector<RunHolder>> live_holders(Workspace& workspace);

/// A run that is this process's as long as this lives. The workspace has to live as long.
class RunHold {
public:
    /// An error (Fault::Environment) where another process that lives has it. Taken within a transaction, it
    /// is taken when that is committed.
    [[nodiscard]] static Result<RunHold> take(Workspace& workspace, RunId run);

    RunHold(RunHold&& other) noexcept
        : workspace_(std::exchange(other.workspace_, nullptr))
        , run_(other.run_)
        , text_(std::move(other.text_)) {}
    RunHold& operator=(RunHold&&) = delete;
    ~RunHold();

private:
    RunHold(Workspace& workspace, RunId run, std::string text)
        : workspace_(&workspace)
        , run_(run)
        , text_(std::move(text)) {}

    Workspace* workspace_; ///< nullptr: moved away
    RunId run_;
    std::string text_; ///< that says so: another's is left alone
};

} // namespace sparsight
