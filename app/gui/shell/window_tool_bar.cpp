#include "gui/shell/window_tool_bar.h"

#include "gui/icons/icon.h"
#include "gui/shell/window_actions.h"
#include "gui/workspace/workspace_session.h"

#include <QFileInfo>
#include <QMenu>
#include <QToolButton>

namespace sparsight {

WindowToolBar::WindowToolBar(const WindowActions& actions, QWidget* window)
    : QToolBar(tr("Navigation"), window)
    , workspace_(new QToolButton(this)) {
    setObjectName(QStringLiteral("navigation-tools"));
    setMovable(false);
    setIconSize({18, 18});
    addAction(actions.back);
    addAction(actions.forward);
    addSeparator();
    workspace_->setObjectName(QStringLiteral("workspace"));
    workspace_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    workspace_->setIcon(icon(QStringLiteral("open")));
    workspace_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(workspace_);
    menu->addAction(actions.new_workspace);
    menu->addAction(actions.open_workspace);
    menu->addMenu(actions.recent);
    menu->addAction(actions.open_demo);
    menu->addAction(actions.close_workspace);
    workspace_->setMenu(menu);
    addWidget(workspace_);
    auto* space = new QWidget(this);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(space);
    for (QAction* action : {actions.import_matrices, actions.simulate_matrices, actions.search}) {
        auto* button = new QToolButton(this);
        button->setObjectName(action->objectName() + QStringLiteral("-button"));
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        addWidget(button);
    }
    addAction(actions.help);
}

void WindowToolBar::show_workspace(const WorkspaceSession& session) {
    const QString& path = session.path();
    const QString name = QFileInfo(path).completeBaseName();
    workspace_->setText(path.isEmpty()                ? tr("No workspace")
                        : session.is_gone()           ? tr("%1 (not there)").arg(name)
                        : session.is_read_only()      ? tr("%1 (read only)").arg(name)
                        : session.is_open_elsewhere() ? tr("%1 (open twice)").arg(name)
                                                      : name);
    workspace_->setToolTip(path.isEmpty() ? tr("Open or make a workspace")
                           : session.is_open_elsewhere()
                               ? tr("%1\nIt is open in another window, too.").arg(path)
                               : path);
}

} // namespace sparsight
