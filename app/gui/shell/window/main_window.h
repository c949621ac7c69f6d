// The frame: navigation, pages, the selection at the right, jobs at the bottom. It wires what the others
// offer; what a page shows is the page's business.
#pragma once

#include "gui/help/lesson.h"
#include "gui/page/page.h"
#include "gui/search/search_everything.h"
#include "gui/selection/selection.h"
#include "gui/shell/window/domain_pages.h"
#include "widgets/look/theme.h"

#include <QMainWindow>
#include <functional>
#include <string>
#include <vector>

namespace sparsight {

class AppliedSettings;
class LessonBar;
class LessonPlayer;
class LostWorkspacePage;
class NavigationBar;
class Notices;
class OpenedFiles;
class Page;
class SelectionPanel;
class WelcomePage;
class WindowActions;
class WindowArrangement;
class WindowBanners;
class WindowClosing;
class WindowDemo;
class WindowLinks;
class WindowSearch;
class WindowToolBar;
class WorkspaceMenu;
class WorkspaceRequests;
struct DemoWorkspace;
struct StartCommand;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Takes the page over. Without a domain it serves all of them.
    void add_page(Page* page, const std::string& domain = {});
    /// Makes a page, which the window takes over, in the words of the domain.
    using PageMaker = DomainPages::PageMaker;
    /// A page for each domain that has none of its own for the place: it is made when the domain is looked
    /// at, and removed when the domain is left.
    void add_general_page(PagePlace place, PageMaker make);
    /// Of the pages of the domain that is looked at, which the navigation bar lists; also by the general id
    /// of its place. Null: there is none.
    [[nodiscard]] Page* page(const QString& id) const { return pages_->find(id); }
    /// By its id, or by its title as the window shows it; in any case, with or without spaces and hyphens.
    [[nodiscard]] Page* page_named(const QString& name) const { return pages_->find_named(name); }
    [[nodiscard]] QStringList page_ids() const { return pages_->ids(); }
    [[nodiscard]] QStringList page_titles() const { return pages_->titles(); }
    [[nodiscard]] Page* current_page() const { return pages_->current(); }
    void show_page(const QString& id);
    void show_help(const QString& topic);
    /// Looks at what is named. What of it this workspace does not have is told, and returned.
    QString open_link(const Selected& target);

    /// What the switch calls the domain.
    void set_domain_title(const std::string& domain, const QString& title);
    /// A command that brings data of this domain into the workspace, or into a new one: in the File menu, in
    /// the toolbar while the domain is looked at, and on the welcome page as it is called there.
    void add_import_command(const StartCommand& command, const std::string& domain);
    /// What is done with files that are no workspaces while the domain is looked at; where a domain has no
    /// import of files, that of the first one which has. Files whose names match the patterns of one domain
    /// alone are imported by it, whatever is looked at.
    void set_file_import(const std::string& domain, std::function<void(const QStringList& files)> import,
                         const QStringList& patterns = {});
    /// Calls `action` once a workspace is open: at once, or after a new one is made. Where none is opened,
    /// calls `give_up` with the reason.
    void when_open(std::function<void()> action, std::function<void(const QString& reason)> give_up = {});
    /// Without one the window offers no demo.
    void set_demo(DemoWorkspace demo);
    /// Of another domain than the demo's. All lessons are offered in each domain that has some.
    void add_lessons(const std::string& domain, LessonData offered);

    /// A panel at the right edge, which can be hidden and moved.
    void add_panel(const QString& id, const QString& title, SelectionPanel* panel);

    void add_search_source(SearchSource source);

    /// Workspaces are opened, everything else is imported: by this domain, where one is named.
    void open_files(const QStringList& files, const std::string& domain = {});
    void open_demo();
    /// What was open when the window was closed last, if the settings say so.
    void restore_session();
    /// Whatever the settings say, until they are changed.
    void use_theme_for_this_run(ThemeChoice choice);
    /// The ways to begin, on the welcome page; once all that domains bring is added.
    void show_starts();
    /// Where panels were; once all are added.
    void restore_arrangement();

    [[nodiscard]] Notices& notices() { return *notices_; }
    [[nodiscard]] LessonPlayer& lessons() { return *lessons_; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override;

private:
    void build();
    void show_domain();
    void connect_actions();
    void connect_start_pages();
    void connect_parts();
    void connect_workspace();
    void keep_selection();
    void follow(const Selected& now);
    void show_workspace_state();
    void show_settings(const QString& key = {});
    void show_about();

    Services services_;
    WindowActions* actions_;
    WorkspaceMenu* workspace_menu_;
    WorkspaceRequests* requests_;
    OpenedFiles* files_;
    WindowArrangement* arrangement_;
    WindowClosing* closing_;
    WindowSearch* search_;
    WindowToolBar* tool_bar_;
    NavigationBar* navigation_;
    PageStack* stack_;
    WelcomePage* welcome_;
    LostWorkspacePage* lost_;
    LessonBar* lesson_bar_;
    LessonPlayer* lessons_;
    AppliedSettings* applied_settings_;
    Notices* notices_ = nullptr;
    WindowBanners* banners_ = nullptr;
    WindowLinks* links_ = nullptr;
    DomainPages* pages_ = nullptr;
    WindowDemo* demo_ = nullptr;
    std::vector<StartCommand> starts_;
};

} // namespace sparsight
