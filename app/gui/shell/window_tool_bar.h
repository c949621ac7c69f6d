// The bar at the top: back and forward, which workspace is open, and the commands that are needed most.
#pragma once

#include <QToolBar>

class QToolButton;

namespace sparsight {

class WindowActions;
class WorkspaceSession;

class WindowToolBar : public QToolBar {
    Q_OBJECT

public:
    WindowToolBar(const WindowActions& actions, QWidget* window);

    void show_workspace(const WorkspaceSession& session);

private:
    QToolButton* workspace_;
};

} // namespace sparsight
