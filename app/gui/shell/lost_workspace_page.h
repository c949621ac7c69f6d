// What stands in the window while the file of the open workspace is not there: what has happened, and the
// ways on. The window comes back by itself as soon as the file does.
#pragma once

#include <QWidget>

class QMenu;

namespace sparsight {

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
