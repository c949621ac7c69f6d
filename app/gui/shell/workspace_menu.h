// Which workspace is open: new, open, recent, demo, by dialogs and by name.
#pragma once

#include "base/error.h"

#include <QObject>
#include <QString>
#include <functional>

class QMenu;
class QWidget;

namespace sparsight {

class UserSettings;
class Workspace;
class WorkspaceSession;

class WorkspaceMenu : public QObject {
    Q_OBJECT

public:
    WorkspaceMenu(UserSettings& settings, WorkspaceSession& session, QMenu& recent, QWidget* window);

    void ask_for_new();
    void ask_for_existing();
    /// Where generated matrices are put when there is no workspace to put them in.
    void open_untitled();
    /// The demo workspace, made where it is missing: with what `fill` adds unless it is there, off the
    /// window's thread.
    void open_demo(const std::function<Result<void>(Workspace&)>& fill);
    /// Where it is, once it is made.
    [[nodiscard]] static QString demo_path();

    [[nodiscard]] static bool is_workspace_name(const QString& file);

Q_SIGNALS:
    void failed(const QString& reason);
    void untitled_opened(const QString& path);

private:
    void show_recent();

    UserSettings& settings_;
    WorkspaceSession& session_;
    QMenu& recent_;
    QWidget* window_;
    QString untitled_; ///< while it is being made
};

} // namespace sparsight
