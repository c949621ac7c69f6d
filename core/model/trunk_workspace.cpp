#include "model/trunk_workspace.h"

#include <utility>

namespace sparsight {

std::shared_ptr<TrunkWorkspace> TrunkWorkspaces::take() {
    std::unique_ptr<TrunkWorkspace> workspace;
    {
        const std::scoped_lock lock(shelf_->mutex);
        if (!shelf_->free.empty()) {
            workspace = std::move(shelf_->free.back());
            shelf_->free.pop_back();
        }
    }
    if (!workspace)
        workspace = std::make_unique<TrunkWorkspace>();
    return {workspace.release(), [shelf = shelf_](TrunkWorkspace* returned) {
                const std::scoped_lock lock(shelf->mutex);
                shelf->free.emplace_back(returned);
            }};
}

} // namespace sparsight
