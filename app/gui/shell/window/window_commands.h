// The commands of the window, for its menus, its toolbar and "search everything".
#pragma once

#include "gui/page/page.h"
#include "gui/search/search_everything.h"

#include <QAction>
#include <QMenuBar>
#include <QObject>
#include <QToolBar>
#include <QToolButton>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

class Domain;
struct Lesson;
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
    QAction* settings;
    QAction* quit;
    QMenu* domains; ///< filled by the switch

    QAction* full_screen;
    QAction* changes;
    QMenu* pages;
    QMenu* panels;

    QAction* back;
    QAction* forward;
    QAction* search;
    QAction* copy_link;
    QAction* paste_link;

    QAction* help;
    QAction* tour;
    QMenu* lessons; ///< of the domain that is looked at
    QAction* shortcuts;
    QAction* about;

    /// Fills the whole menu bar.
    void fill(QMenuBar& bar);
    /// Stands with those that import; enabled as they are.
    void add_import_command(QAction& command);
    /// Says what the demo workspace has, without which there are no lessons.
    void set_demo(const QString& summary);
    /// Of the Help menu, where the tour has a place of its own.
    QAction* add_lesson(const Lesson& lesson);
    void set_lessons_shown(bool are_shown);
    /// Enables the commands that depend on a workspace being open, on its being writable, and on its file
    /// being there.
    void set_workspace(bool is_open, bool is_read_only, bool is_gone);
    [[nodiscard]] std::vector<SearchItem> search_items() const;

private:
    QAction* make(const QString& name, const QString& text, const QString& icon, const QKeySequence& keys,
                  const QString& tip);

    QWidget* window_;
    QMenu* file_ = nullptr;
    QAction* behind_imports_ = nullptr; ///< of the file menu
    std::vector<QAction*> imports_;     ///< what is added to a workspace: without one, they make it
    std::vector<QAction*> lessons_;
    std::vector<QAction*> all_;
};

/// The switch between domains: its title is that of the domain that is looked at. It is disabled where there
/// is nothing to choose, and says why.
class DomainSwitch : public QToolButton {
    Q_OBJECT

public:
    /// Fills `menu`, which other menus may show, too.
    DomainSwitch(Services services, QMenu& menu, QWidget* parent = nullptr);

    /// A domain without a title is called as its workloads are.
    void set_title(const std::string& domain, const QString& title);

private:
    [[nodiscard]] QString title_of(const Domain& domain) const;
    void show_state();
    [[nodiscard]] QString reason_against() const;

    Services services_;
    QMenu& menu_;
    std::map<std::string, QString, std::less<>> titles_;
};

/// The toolbar at the top: back and forward, the name of the open workspace, its domain, and the most used
/// commands.
class WindowToolBar : public QToolBar {
    Q_OBJECT

public:
    WindowToolBar(Services services, const WindowActions& actions, QWidget* window);

    /// Shown while this domain is looked at.
    void add_import_command(QAction& command, std::string domain);
    void show_workspace(const WorkspaceSession& session);
    void show_domain(const Domain& domain);
    [[nodiscard]] DomainSwitch& domain_switch() { return *domain_; }

private:
    struct DomainButton {
        QAction* shown;
        std::string domain;
    };

    QAction* add_button(QAction& command, QAction* before);

    QToolButton* workspace_;
    DomainSwitch* domain_;
    QAction* search_ = nullptr; ///< the button of the search, before which the imports stand
    std::vector<DomainButton> of_domains_;
};

} // namespace sparsight
