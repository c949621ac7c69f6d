// Files that are named at the start or dropped on the window: workspaces are opened, everything else is
// imported as the domain that is looked at does it.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

class WorkspaceRequests;
class WorkspaceSession;

class OpenedFiles : public QObject {
    Q_OBJECT

public:
    using Import = std::function<void(const QStringList& files)>;

    OpenedFiles(WorkspaceSession& session, WorkspaceRequests& requests, QObject* parent);

    /// For files that are no workspaces while the domain is looked at. A domain without one uses the first of
    /// all.
    void set_import(const std::string& domain, Import import);
    void open(const QStringList& files);

private:
    void import_files(const QStringList& files);

    WorkspaceSession& session_;
    WorkspaceRequests& requests_;
    std::vector<std::pair<std::string, Import>> imports_;
};

} // namespace sparsight
