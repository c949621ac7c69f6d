// The pages that the window shows without a usable workspace: the welcome page with the ways to begin and the
// recent workspaces, and the page for a workspace whose file has disappeared.
#pragma once

#include <QString>
#include <QWidget>

class QAction;
class QMenu;
class QVBoxLayout;

namespace sparsight {

class EmptyState;
class UserSettings;

/// A command as the welcome page offers it.
struct StartCommand {
    QAction* action;
    QString text;
    QString icon;
};

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(UserSettings& settings, QWidget* parent = nullptr);

    /// The first one is offered above all.
    void add_command(const StartCommand& command);

Q_SIGNALS:
    void recent_chosen(const QString& workspace);

private:
    void show_recent();

    UserSettings& settings_;
    EmptyState* start_;
    bool has_commands_ = false;
    QVBoxLayout* recent_;
    QWidget* recent_box_;
};

/// Shown while the file of the open workspace is missing: what has happened, and what the user can do. The
/// window returns to the workspace by itself as soon as the file is back.
class LostWorkspacePage : public QWidget {
    Q_OBJECT

public:
    /// Does not own the menu.
    explicit LostWorkspacePage(QMenu& recent, QWidget* parent = nullptr);

    void show_workspace(const QString& path);

Q_SIGNALS:
    void retry_requested();
    void open_requested();
    void close_requested();

private:
    EmptyState* state_;
};

} // namespace sparsight
