// The frame: navigation, pages, the selection at the right, jobs at the bottom. It wires what the others
// offer; what a page shows is the page's business.
#pragma once

#include "gui/page/page.h"
#include "gui/search/search_everything.h"
#include "gui/selection/selection.h"
#include "widgets/look/theme.h"

#include <QMainWindow>
#include <vector>

class QStackedWidget;

namespace sparsight {

class AppliedSettings;
class GuidedTour;
class LostWorkspacePage;
class MatrixIntake;
class NavigationBar;
class Notices;
class Page;
class SelectionPanel;
class WelcomePage;
class WindowActions;
class WindowArrangement;
class WindowClosing;
class WindowLinks;
class WindowSearch;
class WindowToolBar;
class WorkspaceMenu;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Services services, QWidget* parent = nullptr);

    /// Takes the page over and shows it in the navigation bar, below those before it.
    void add_page(Page* page);
    [[nodiscard]] Page* page(const QString& id) const;
    [[nodiscard]] QStringList page_ids() const;
    [[nodiscard]] Page* current_page() const;
    void show_page(const QString& id);
    void show_help(const QString& topic);
    /// Looks at what a link names (selection.h), and says what of it this workspace does not have.
    void open_link(const QString& link);

    /// A panel at the right edge, which can be hidden and moved.
    void add_panel(const QString& id, const QString& title, QWidget* panel);

    void add_search_source(SearchSource source);

    /// Workspaces are opened, everything else is imported as matrices.
    void open_files(const QStringList& files);
    void open_demo();
    /// What was open when the window was closed last, if the settings say so.
    void restore_session();
    /// Whatever the settings say, until they are changed.
    void use_theme_for_this_run(ThemeChoice choice);
    /// Where panels were; once all are added.
    void restore_arrangement();

    [[nodiscard]] Notices& notices() { return *notices_; }
    [[nodiscard]] GuidedTour& tour() { return *tour_; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void build();
    void connect_actions();
    void connect_start_pages();
    void connect_parts();
    void connect_workspace();
    void follow(const Selected& now);
    void show_workspace_state();
    void begin_tour();
    void begin_demo(std::size_t demo);
    void show_settings(const QString& key = {});
    void show_about();

    Services services_;
    WindowActions* actions_;
    WorkspaceMenu* workspace_menu_;
    MatrixIntake* intake_;
    WindowArrangement* arrangement_;
    WindowClosing* closing_;
    WindowSearch* search_;
    WindowToolBar* tool_bar_;
    NavigationBar* navigation_;
    QStackedWidget* stack_;
    WelcomePage* welcome_;
    LostWorkspacePage* lost_;
    GuidedTour* tour_;
    AppliedSettings* applied_settings_;
    Notices* notices_ = nullptr;
    WindowLinks* links_ = nullptr;
    std::vector<Page*> pages_;
};

} // namespace sparsight
