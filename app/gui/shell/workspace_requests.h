// What is asked for before a workspace is open, and done once one is.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

namespace sparsight {

class WorkspaceSession;

class WorkspaceRequests : public QObject {
    Q_OBJECT

public:
    struct Request {
        std::function<void()> meet;
        /// Called if no workspace is opened; may be empty.
        std::function<void(const QString& reason)> give_up{};
    };

    WorkspaceRequests(const WorkspaceSession& session, QObject* parent);

    /// At once where a workspace is open; otherwise one is asked for.
    void when_open(Request request);
    /// Once the workspace that is being opened is open; not at all if it can't be opened.
    void after_opening(Request request);

Q_SIGNALS:
    /// No workspace is open: one is to be opened.
    void workspace_needed();

private:
    const WorkspaceSession& session_;
    std::vector<Request> waiting_;
};

} // namespace sparsight
