// Files that are named at the start or dropped on the window: workspaces are opened, everything else is
// imported: as the domain does it whose files they are by their names, else the domain that is looked at.
#pragma once

#include <QObject>
#include <QStringList>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sparsight {

class WorkspaceRequests;
class WorkspaceSession;

class OpenedFiles : public QObject {
    Q_OBJECT

public:
    using Import = std::function<void(const QStringList& files)>;

    OpenedFiles(WorkspaceSession& session, WorkspaceRequests& requests, QObject* parent);

    /// For files that are no workspaces while the domain is looked at, and for those whose names match its
    /// patterns, whatever is looked at. A domain without an import uses the first of all.
    void set_import(const std::string& domain, Import import, QStringList patterns = {});
    /// With a domain, its import takes all that is no workspace.
    void open(const QStringList& files, const std::string& domain = {});

private:
    struct DomainImport {
        std::string domain;
        Import import;
        QStringList patterns;
    };

    void import_files(const QStringList& files, const std::string& domain);
    [[nodiscard]] std::size_t place_of(const std::string& domain) const;
    /// Of a domain whose patterns the file alone matches; `looked_at` where it is that of no other.
    [[nodiscard]] std::size_t place_for(const QString& file, std::size_t looked_at) const;

    WorkspaceSession& session_;
    WorkspaceRequests& requests_;
    std::vector<DomainImport> imports_;
};

} // namespace sparsight
