// The frame: navigation, pages, the selection at the right, jobs at the bottom. It wires what the others
// offer; what a page shows is the page's business.
#pragma once

#include "gui/page/services.h"
#include "gui/search/search_everything.h"
#include "gui/selection/selection.h"
#include "widgets/look/theme.h"

#include <QMainWindow>
#include <QSet>
#include <QTimer>
#include <vector>

class QStackedWidget;
class QToolButton;

namespace sparsight {

class LostWorkspacePage;
class MatrixIntake;
class NavigationBar;
class Notices;
class Page;
class SelectionPanel;
class WelcomePage;
class WindowActions;
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

    /// A panel at the right edge, which can be hidden and moved.
    void add_panel(const QString& id, const QString& title, QWidget* panel);

    void add_search_source(SearchSource source) { search_sources_.push_back(std::move(source)); }

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

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void build();
    void build_tool_bar();
    void connect_actions();
    void connect_workspace();
    void connect_settings();
    void follow(const Selected& now);
    void show_workspace_state();
    void save_arrangement();
    void ask_before_closing();
    void close_after_jobs();
    void close_when_idle();
    void show_settings(const QString& key = {});
    void show_about();
    void search_everything();
    void set_full_screen(bool on);
    [[nodiscard]] std::vector<SearchItem> page_items() const;
    [[nodiscard]] std::vector<SearchItem> setting_items();

    Services services_;
    WindowActions* actions_;
    WorkspaceMenu* workspace_menu_;
    MatrixIntake* intake_;
    NavigationBar* navigation_;
    QStackedWidget* stack_;
    WelcomePage* welcome_;
    LostWorkspacePage* lost_;
    Notices* notices_;
    QToolButton* workspace_button_;
    std::vector<Page*> pages_;
    std::vector<SearchSource> search_sources_;
    QTimer save_soon_;
    QSet<QString> hidden_panels_; ///< by the user; without a workspace there is none to see anyway
    bool is_closing_ = false;     ///< as soon as no job is active
    bool may_close_ = false;
    bool theme_is_for_this_run_ = false;
    double font_size_before_ = 0;
    QRect geometry_before_;
};

} // namespace sparsight
