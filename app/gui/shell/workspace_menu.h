// Which workspace is open: new, open, recent, demo, by dialogs and by name; and what waits for one.
#pragma once

#include "base/error.h"

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

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
    /// The demo workspace: a copy of this file where it is not there yet.
    void open_demo(const QString& recording);
    /// Whether this is the demo workspace, made from another recording than this file.
    [[nodiscard]] static bool is_of_older_recording(const QString& workspace, const QString& recording);
    /// Opens a new copy of this file as the demo workspace. The one that was there is kept beside it, with a
    /// number behind its name.
    void renew_demo(const QString& recording);
    /// Where it is, once it is made.
    [[nodiscard]] static QString demo_path();

    [[nodiscard]] static bool is_workspace_name(const QString& file);

Q_SIGNALS:
    void failed(const QString& reason);
    void untitled_opened(const QString& path);
    void demo_made(const QString& path); ///< before it is opened

private:
    void show_recent();
    void make_demo(const QString& recording);

    UserSettings& settings_;
    WorkspaceSession& session_;
    QMenu& recent_;
    QWidget* window_;
    QString untitled_; ///< while it is being made
};

/// What is asked for before a workspace is open, and done once one is.
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
