// The commands of the window, for its menus, its toolbar and "search everything".
#pragma once

#include "gui/search/search_everything.h"

#include <QAction>
#include <QMenuBar>
#include <QObject>
#include <QToolBar>
#include <vector>

class QToolButton;

namespace sparsight {

class WorkspaceSession;

class WindowActions : public QObject {
    Q_OBJECT

public:
    explicit WindowActions(QWidget* window);

    QAction* new_workspace;
    QAction* open_workspace;
    QAction* open_demo;
    QMenu* recent;
    QAction* close_workspace;
    QAction* import_matrices;
    QAction* simulate_matrices;
    QAction* settings;
    QAction* quit;

    QAction* full_screen;
    QMenu* pages;
    QMenu* panels;

    QAction* back;
    QAction* forward;
    QAction* search;
    QAction* copy_link;
    QAction* paste_link;

    QAction* help;
    QAction* tour;
    QMenu* demos;
    std::vector<QAction*> demo_actions; ///< in the order of what_if_demos()
    QAction* shortcuts;
    QAction* about;

    /// Fills the whole menu bar.
    void fill(QMenuBar& bar);
    /// Enables the commands that depend on a workspace being open, on its being writable, and on its file
    /// being there.
    void set_workspace(bool is_open, bool is_read_only, bool is_gone);
    [[nodiscard]] std::vector<SearchItem> search_items() const;

private:
    QAction* make(const QString& name, const QString& text, const QString& icon, const QKeySequence& keys,
                  const QString& tip);

    QWidget* window_;
    std::vector<QAction*> all_;
};

/// The toolbar at the top: back and forward, the name of the open workspace, and the most used commands.
class WindowToolBar : public QToolBar {
    Q_OBJECT

public:
    WindowToolBar(const WindowActions& actions, QWidget* window);

    void show_workspace(const WorkspaceSession& session);

private:
    QToolButton* workspace_;
};

} // namespace sparsight
