// What stands in the window while no workspace is open: the four ways to begin, and the last workspaces.
#pragma once

#include <QWidget>

class QVBoxLayout;
class QMenu;

namespace sparsight {

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    void show_recent(const QStringList& workspaces);

Q_SIGNALS:
    void demo_requested();
    void open_requested();
    void import_requested();
    void simulate_requested();
    void tour_requested();
    void recent_chosen(const QString& workspace);

private:
    QVBoxLayout* recent_;
    QWidget* recent_box_;
};

// What stands in the window while the file of the open workspace is not there: what has happened, and the
// ways on. The window comes back by itself as soon as the file does.

class EmptyState;

class LostWorkspacePage : public QWidget {
    Q_OBJECT

public:
    /// The menu is not owned.
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
