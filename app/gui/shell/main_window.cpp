#include "gui/shell/main_window.h"

#include "gui/about/about_dialog.h"
#include "gui/help/help_page.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_strip.h"
#include "gui/matrices/dropped_files.h"
#include "gui/page/availability.h"
#include "gui/page/page.h"
#include "gui/program/program.h"
#include "gui/settings/settings.h"
#include "gui/settings/settings_dialog.h"
#include "gui/shell/closing_question.h"
#include "gui/shell/lost_workspace_page.h"
#include "gui/shell/matrix_intake.h"
#include "gui/shell/navigation_bar.h"
#include "gui/shell/notices.h"
#include "gui/shell/panel_title.h"
#include "gui/shell/welcome_page.h"
#include "gui/shell/window_actions.h"
#include "gui/shell/workspace_menu.h"
#include "gui/workspace/workspace_session.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds save_delay{1500};
constexpr double teaching_scale = 1.4;
constexpr std::chrono::milliseconds type_settles_after{100};

} // namespace

MainWindow::MainWindow(Services services, QWidget* parent)
    : QMainWindow(parent)
    , services_(services)
    , actions_(new WindowActions(this))
    , workspace_menu_(new WorkspaceMenu(services.settings, services.session, *actions_->recent, this))
    , intake_(new MatrixIntake(services, this))
    , navigation_(new NavigationBar(this))
    , stack_(new QStackedWidget(this))
    , welcome_(new WelcomePage(this))
    , lost_(new LostWorkspacePage(*actions_->recent, this))
    , notices_(nullptr)
    , workspace_button_(new QToolButton(this)) {
    setWindowIcon(application_icon());
    setAcceptDrops(true);
    build();
    connect_actions();
    connect_workspace();
    connect_settings();
    add_search_source([this] { return page_items(); });
    add_search_source([this] { return actions_->search_items(); });
    add_search_source([this] { return setting_items(); });
    save_soon_.setSingleShot(true);
    save_soon_.setInterval(save_delay);
    connect(&save_soon_, &QTimer::timeout, this, &MainWindow::save_arrangement);
    show_workspace_state();
    resize(1280, 800);
}

void MainWindow::build() {
    actions_->fill(*menuBar());
    build_tool_bar();
    auto* page_area = new QWidget(this);
    auto* column = new QVBoxLayout(page_area);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(stack_, 1);
    notices_ = new Notices(page_area);
    stack_->addWidget(welcome_);
    stack_->addWidget(lost_);
    auto* center = new QWidget(this);
    auto* row = new QHBoxLayout(center);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(navigation_);
    row->addWidget(page_area, 1);
    setCentralWidget(center);

    auto* strip = new JobStrip(services_.jobs, this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(strip, 1);
}

void MainWindow::build_tool_bar() {
    QToolBar* bar = addToolBar(tr("Navigation"));
    bar->setObjectName(QStringLiteral("navigation-tools"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    bar->addAction(actions_->back);
    bar->addAction(actions_->forward);
    bar->addSeparator();
    workspace_button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    workspace_button_->setIcon(icon(QStringLiteral("open")));
    workspace_button_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(workspace_button_);
    menu->addAction(actions_->new_workspace);
    menu->addAction(actions_->open_workspace);
    menu->addMenu(actions_->recent);
    menu->addAction(actions_->open_demo);
    menu->addAction(actions_->close_workspace);
    workspace_button_->setMenu(menu);
    bar->addWidget(workspace_button_);
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    for (QAction* action : {actions_->import_matrices, actions_->simulate_matrices, actions_->search}) {
        auto* button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        bar->addWidget(button);
    }
    bar->addAction(actions_->help);
}

void MainWindow::connect_actions() {
    const auto on = [this](QAction* action, auto&& act) {
        connect(action, &QAction::triggered, this, std::forward<decltype(act)>(act));
    };
    on(actions_->new_workspace, [this] { workspace_menu_->ask_for_new(); });
    on(actions_->open_workspace, [this] { workspace_menu_->ask_for_existing(); });
    on(actions_->open_demo, [this] { workspace_menu_->open_demo(); });
    on(actions_->close_workspace, [this] { services_.session.close(); });
    on(actions_->import_matrices, [this] { intake_->import_files({}); });
    on(actions_->simulate_matrices, [this] { intake_->simulate(); });
    on(actions_->settings, [this] { show_settings(); });
    on(actions_->quit, [this] { close(); });
    on(actions_->back, [this] { services_.selection.go_back(); });
    on(actions_->forward, [this] { services_.selection.go_forward(); });
    on(actions_->search, [this] { search_everything(); });
    on(actions_->copy_link, [this] {
        QApplication::clipboard()->setText(to_link(services_.selection.current()));
        notices_->tell(tr("The link to this view is on the clipboard."), false);
    });
    on(actions_->paste_link, [this] {
        const Selected target = from_link(QApplication::clipboard()->text());
        if (target == Selected{})
            notices_->tell(tr("There is no link to a view on the clipboard."), true);
        else
            services_.selection.select(target);
    });
    on(actions_->help, [this] { show_page(QStringLiteral("help")); });
    on(actions_->tour, [this] { show_help(QStringLiteral("index")); });
    on(actions_->shortcuts, [this] { show_help(QStringLiteral("shortcuts")); });
    on(actions_->about, [this] { show_about(); });
    connect(actions_->full_screen, &QAction::toggled, this, &MainWindow::set_full_screen);

    connect(welcome_, &WelcomePage::demo_requested, workspace_menu_, &WorkspaceMenu::open_demo);
    connect(welcome_, &WelcomePage::open_requested, workspace_menu_, &WorkspaceMenu::ask_for_existing);
    connect(welcome_, &WelcomePage::import_requested, this, [this] { intake_->import_files({}); });
    connect(welcome_, &WelcomePage::simulate_requested, intake_, &MatrixIntake::simulate);
    connect(welcome_, &WelcomePage::tour_requested, actions_->tour, &QAction::trigger);
    connect(welcome_, &WelcomePage::recent_chosen, &services_.session, &WorkspaceSession::open);
    connect(lost_, &LostWorkspacePage::open_requested, workspace_menu_, &WorkspaceMenu::ask_for_existing);
    connect(lost_, &LostWorkspacePage::close_requested, &services_.session, &WorkspaceSession::close);
    connect(lost_, &LostWorkspacePage::retry_requested, this, [this] {
        if (services_.session.look_for_file())
            notices_->tell(tr("%1 is still not there.").arg(services_.session.path()), false);
    });
    connect(navigation_, &NavigationBar::page_chosen, this, &MainWindow::show_page);
    connect(intake_, &MatrixIntake::notice, notices_, &Notices::tell);
    connect(intake_, &MatrixIntake::workspace_needed, workspace_menu_, &WorkspaceMenu::open_untitled);
    connect(workspace_menu_, &WorkspaceMenu::failed, this,
            [this](const QString& reason) { notices_->tell(reason, true); });
    // Queued: what was said before a workspace is opened is cleared away by it.
    connect(
        workspace_menu_, &WorkspaceMenu::untitled_opened, this,
        [this](const QString& path) {
            notices_->tell(tr("A new workspace keeps the matrices: %1").arg(path), false);
        },
        Qt::QueuedConnection);
}

void MainWindow::connect_workspace() {
    connect(&services_.session, &WorkspaceSession::opened, this, [this](const QString& path) {
        Selected selected =
            from_link(QString::fromUtf8(services_.settings.layout(QStringLiteral("selection:") + path)));
        if (page(selected.page) == nullptr)
            selected.page = pages_.empty() ? QString() : pages_.front()->id();
        services_.selection.reset(selected);
        if (services_.session.is_read_only())
            notices_->tell(tr("%1 can only be read: nothing can be added or measured.").arg(path), true);
        show_workspace_state();
    });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] {
        services_.selection.reset();
        show_workspace_state();
    });
    connect(&services_.session, &WorkspaceSession::failed, this,
            [this](const QString&, const QString& reason) { notices_->tell(reason, true); });
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MainWindow::show_workspace_state);
    connect(&services_.selection, &Selection::changed, this, &MainWindow::follow);
    connect(&services_.jobs, &JobService::job_finished, this, [this](const JobId& id) {
        services_.session.refresh();
        close_when_idle();
        const auto job = services_.jobs.job(id);
        if (job && job->state == JobState::Failed && !job->adds_matrices())
            notices_->tell(tr("%1: %2").arg(job->title, job->error), true);
    });
}

void MainWindow::connect_settings() {
    // Each for itself: --theme holds for a run, whatever else changes meanwhile.
    connect(&services_.settings, &UserSettings::changed, this, [this](const QString& key) {
        const UserSettings& settings = services_.settings;
        if (key == settings.theme.key()) {
            theme_is_for_this_run_ = false;
            apply_theme(*qApp, settings.theme.get());
        } else if (key.startsWith(QStringLiteral("look/")))
            set_number_style(*qApp, settings.number_style());
        else if (key == settings.worker.key())
            services_.jobs.set_worker_program(find_worker_program(settings.worker.get()));
        else if (key == settings.recent.key())
            welcome_->show_recent(settings.recent.get());
    });
    welcome_->show_recent(services_.settings.recent.get());
}

void MainWindow::add_page(Page* page) {
    pages_.push_back(page);
    stack_->addWidget(page);
    navigation_->add_page(page->id(), page->title(), page->icon_name());
    page->restore_layout(services_.settings.layout(QStringLiteral("page:") + page->id()));
    QAction* action = actions_->pages->addAction(icon(page->icon_name()), page->title());
    connect(action, &QAction::triggered, this, [this, id = page->id()] { show_page(id); });
    connect(page, &Page::notice, notices_, &Notices::tell);
    connect(page, &Page::help_requested, this, &MainWindow::show_help);
    connect(page, &Page::import_requested, intake_, &MatrixIntake::import_files);
    connect(page, &Page::simulate_requested, intake_, &MatrixIntake::simulate);
}

void MainWindow::add_panel(const QString& id, const QString& title, QWidget* panel) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    dock->setWidget(panel);
    dock->setTitleBarWidget(new PanelTitle(title, *dock));
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    addDockWidget(Qt::RightDockWidgetArea, dock);
    resizeDocks({dock}, {panel->sizeHint().width()}, Qt::Horizontal);
    actions_->panels->addAction(dock->toggleViewAction());
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, id](bool shown) {
        if (shown)
            hidden_panels_.remove(id);
        else
            hidden_panels_.insert(id);
        save_soon_.start();
    });
}

Page* MainWindow::page(const QString& id) const {
    const auto found = std::ranges::find(pages_, id, [](const Page* page) { return page->id(); });
    return found == pages_.end() ? nullptr : *found;
}

QStringList MainWindow::page_ids() const {
    QStringList ids;
    for (const Page* page : pages_)
        ids << page->id();
    return ids;
}

Page* MainWindow::current_page() const {
    return qobject_cast<Page*>(stack_->currentWidget());
}

void MainWindow::show_page(const QString& id) {
    services_.selection.select_page(id);
}

void MainWindow::show_help(const QString& topic) {
    show_page(QStringLiteral("help"));
    if (auto* help = qobject_cast<HelpPage*>(page(QStringLiteral("help"))))
        help->show_topic(topic);
}

void MainWindow::follow(const Selected& now) {
    Page* target = page(now.page);
    const Page* before = current_page();
    const bool needs_workspace = now.page != QStringLiteral("help");
    if (target == nullptr || (needs_workspace && !services_.session.is_open()))
        stack_->setCurrentWidget(welcome_);
    else if (needs_workspace && services_.session.is_gone())
        stack_->setCurrentWidget(lost_);
    else
        stack_->setCurrentWidget(target);
    if (current_page() != nullptr && current_page() != before)
        current_page()->setFocus(); // its table, so that the keyboard works at once
    for (QDockWidget* panel : findChildren<QDockWidget*>())
        panel->setVisible(!hidden_panels_.contains(panel->objectName()) && current_page() != nullptr &&
                          services_.session.is_open());
    navigation_->set_current(current_page() == nullptr ? QString() : now.page);
    set_availability(*actions_->back,
                     services_.selection.can_go_back() ? QString() : tr("There is nothing before this."));
    set_availability(*actions_->forward,
                     services_.selection.can_go_forward() ? QString() : tr("There is nothing after this."));
    save_soon_.start();
}

void MainWindow::show_workspace_state() {
    const QString path = services_.session.path();
    const QString name = QFileInfo(path).completeBaseName();
    const bool is_read_only = services_.session.is_read_only();
    const bool is_gone = services_.session.is_gone();
    actions_->set_workspace(services_.session.is_open(), is_read_only, is_gone);
    if (is_gone)
        lost_->show_workspace(path);
    workspace_button_->setText(path.isEmpty() ? tr("No workspace")
                               : is_gone      ? tr("%1 (not there)").arg(name)
                               : is_read_only ? tr("%1 (read only)").arg(name)
                                              : name);
    workspace_button_->setToolTip(path.isEmpty() ? tr("Open or make a workspace") : path);
    setWindowTitle(path.isEmpty() ? application_name() : tr("%1 — %2").arg(name, application_name()));
    follow(services_.selection.current());
}

void MainWindow::open_files(const QStringList& files) {
    QStringList matrices;
    QString workspace;
    for (const QString& file : files) {
        if (WorkspaceMenu::is_workspace_name(file))
            workspace = file;
        else
            matrices << file;
    }
    if (workspace.isEmpty()) {
        if (!matrices.isEmpty())
            intake_->import_files(matrices);
        return;
    }
    if (!matrices.isEmpty())
        intake_->import_after_opening(matrices);
    services_.session.open(workspace);
}

void MainWindow::open_demo() {
    workspace_menu_->open_demo();
}

void MainWindow::restore_session() {
    const QString path = services_.settings.workspace.get();
    if (services_.settings.restores_session.get() && QFileInfo::exists(path))
        services_.session.open(path);
}

void MainWindow::restore_arrangement() {
    restoreGeometry(services_.settings.geometry.get());
    restoreState(services_.settings.docks.get());
    const QStringList hidden = services_.settings.hidden_panels.get();
    hidden_panels_ = QSet<QString>(hidden.begin(), hidden.end());
    follow(services_.selection.current());
}

void MainWindow::save_arrangement() {
    UserSettings& settings = services_.settings;
    settings.geometry.set(saveGeometry());
    settings.docks.set(saveState());
    settings.hidden_panels.set(hidden_panels_.values());
    for (const Page* page : pages_)
        settings.set_layout(QStringLiteral("page:") + page->id(), page->layout_state());
    if (services_.session.is_open())
        settings.set_layout(QStringLiteral("selection:") + services_.session.path(),
                            to_link(services_.selection.current()).toUtf8());
}

void MainWindow::show_settings(const QString& key) {
    auto* dialog = new SettingsDialog(services_.settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->go_to(key);
}

void MainWindow::show_about() {
    auto* dialog = new AboutDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::search_everything() {
    auto* search = new SearchEverything(search_sources_, this);
    search->setAttribute(Qt::WA_DeleteOnClose);
    search->ask();
}

std::vector<SearchItem> MainWindow::page_items() const {
    std::vector<SearchItem> items;
    for (const Page* page : pages_)
        items.push_back({page->title(), tr("page"), page->icon_name(),
                         [&selection = services_.selection, id = page->id()] { selection.select_page(id); }});
    for (const MatrixRecord& matrix : services_.session.contents().matrices)
        items.push_back({QString::fromStdString(matrix.name), tr("matrix"), QStringLiteral("matrices"),
                         [&selection = services_.selection, name = QString::fromStdString(matrix.name)] {
                             Selected target = selection.current();
                             target.matrix = name;
                             target.page = QStringLiteral("matrices");
                             selection.select(target);
                         }});
    return items;
}

std::vector<SearchItem> MainWindow::setting_items() {
    std::vector<SearchItem> items;
    for (const SettingsDialog::Entry& entry : SettingsDialog(services_.settings).entries())
        items.push_back({entry.title, tr("setting"), QStringLiteral("settings"),
                         [this, key = entry.key] { show_settings(key); }});
    return items;
}

void MainWindow::set_full_screen(bool on) {
    QFont font = QApplication::font();
    if (on) {
        font_size_before_ = font.pointSizeF();
        geometry_before_ = geometry();
        font.setPointSizeF(font_size_before_ * teaching_scale);
        showFullScreen();
    } else {
        font.setPointSizeF(font_size_before_);
        showNormal();
    }
    QApplication::setFont(font);
    // While the parts take the font one after the other, they may ask together for more than the screen.
    QTimer::singleShot(type_settles_after, this,
                       [this, on] { setGeometry(on ? screen()->geometry() : geometry_before_); });
}

void MainWindow::closeEvent(QCloseEvent* event) {
    save_arrangement();
    if (may_close_ || !services_.jobs.has_active_jobs()) {
        event->accept();
        return;
    }
    event->ignore();
    is_closing_ = false; // asked anew
    services_.jobs.hold_queue(false);
    ask_before_closing();
}

void MainWindow::ask_before_closing() {
    auto* question = new ClosingQuestion(services_.jobs, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &ClosingQuestion::keep_running, this, [this] {
        may_close_ = true;
        close();
    });
    connect(question, &ClosingQuestion::stop_jobs, this, &MainWindow::close_after_jobs);
    question->open();
}

void MainWindow::close_after_jobs() {
    notices_->tell(tr("Closing as soon as the measurement in flight is finished…"), false);
    services_.jobs.hold_queue(true); // what waits begins in the next window
    for (const Job& job : services_.jobs.jobs())
        if (is_active(job.state))
            services_.jobs.stop(job.id);
    is_closing_ = true;
    close_when_idle();
}

void MainWindow::close_when_idle() {
    if (!is_closing_ || services_.jobs.has_active_jobs())
        return;
    may_close_ = true;
    close();
}

void MainWindow::use_theme_for_this_run(ThemeChoice choice) {
    theme_is_for_this_run_ = true;
    apply_theme(*qApp, choice);
}

bool MainWindow::event(QEvent* event) {
    // The desktop became dark or light.
    if (event->type() == QEvent::ThemeChange && !theme_is_for_this_run_ &&
        services_.settings.theme.get() == ThemeChoice::System)
        apply_theme(*qApp, ThemeChoice::System);
    return QMainWindow::event(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!local_files(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    open_files(local_files(*event->mimeData()));
    event->acceptProposedAction();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    save_soon_.start();
}

} // namespace sparsight
