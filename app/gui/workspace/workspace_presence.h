// That a workspace is open in this window, for other windows of the same user to see, and whether it is open
// in another one. A window that was killed is not taken for one.
#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

namespace sparsight {

class WorkspacePresence {
public:
    /// In a folder that all windows look into.
    explicit WorkspacePresence(QString folder);
    ~WorkspacePresence() { set_workspace({}); }
    WorkspacePresence(const WorkspacePresence&) = delete;
    WorkspacePresence& operator=(const WorkspacePresence&) = delete;

    /// Empty: none. Nothing is told where the folder can't be written.
    void set_workspace(const QString& path);
    [[nodiscard]] bool is_open_elsewhere() const;

private:
    QString folder_;
    QString here_; ///< where the windows that have this workspace open are told
    std::unique_ptr<QLockFile> own_;
};

} // namespace sparsight
