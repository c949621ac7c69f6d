#include "gui/shell/workspace_requests.h"

#include "gui/workspace/workspace_session.h"

#include <utility>

namespace sparsight {

WorkspaceRequests::WorkspaceRequests(const WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session) {
    connect(&session_, &WorkspaceSession::opened, this, [this] {
        for (const Request& request : std::exchange(waiting_, {}))
            request.meet();
    });
    // A request that could not be met must not be carried out in the next workspace.
    connect(&session_, &WorkspaceSession::failed, this, [this](const QString&, const QString& reason) {
        for (const Request& request : std::exchange(waiting_, {}))
            if (request.give_up)
                request.give_up(reason);
    });
}

void WorkspaceRequests::when_open(Request request) {
    if (session_.is_open())
        return request.meet();
    waiting_.push_back(std::move(request));
    if (waiting_.size() == 1)
        Q_EMIT workspace_needed();
}

void WorkspaceRequests::after_opening(Request request) {
    waiting_.push_back(std::move(request));
}

} // namespace sparsight
