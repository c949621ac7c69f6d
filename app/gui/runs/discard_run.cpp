#include "gui/runs/discard_run.h"

#include "store/run_holders.h"
#include "store/workspace.h"

namespace sparsight {

Result<void> discard_run(Workspace& workspace, RunId run) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        // Ours until it is gone: nobody goes on with it between the look and the removal.
        const auto hold = RunHold::take(workspace, run);
        if (!hold)
            return std::unexpected(hold.error());
        return remove_run(workspace, run);
    });
}

} // namespace sparsight
