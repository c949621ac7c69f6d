#include "gui/shell/window/main_window.h"

#include "gui/about/about_dialog.h"
#include "gui/help/help_page.h"
#include "gui/help/help_text.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_strip.h"
#include "gui/page/page.h"
#include "gui/program/program.h"
#include "gui/results/changes_dialog.h"
#include "gui/settings/settings.h"
#include "gui/settings/settings_dialog.h"
#include "gui/shell/lesson_bar.h"
#include "gui/shell/lesson_player.h"
#include "gui/shell/start_pages.h"
#include "gui/shell/window/applied_settings.h"
#include "gui/shell/window/file_drop.h"
#include "gui/shell/window/navigation.h"
#include "gui/shell/window/notices.h"
#include "gui/shell/window/opened_files.h"
#include "gui/shell/window/tab_order.h"
#include "gui/shell/window/window_arrangement.h"
#include "gui/shell/window/window_banners.h"
#include "gui/shell/window/window_closing.h"
#include "gui/shell/window/window_commands.h"
#include "gui/shell/window/window_demo.h"
#include "gui/shell/workspace_menu.h"
#include "gui/workspace/workspace_session.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

namespace {

/// Asks for no more height than it needs at least.
class YieldingArea : public QWidget {
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override {
        return {QWidget::sizeHint().width(), minimumSizeHint().height()};
    }
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }
};

} // namespace

MainWindow::MainWindow(Services services, QWidget* parent)
    : QMainWindow(parent)
    , services_(services)
    , actions_(new WindowActions(this))
    , workspace_menu_(new WorkspaceMenu(services.settings, services.session, *actions_->recent, this))
    , requests_(new WorkspaceRequests(services.session, this))
    , files_(new OpenedFiles(services.session, *requests_, this))
    , arrangement_(new WindowArrangement(services.settings, this))
    , closing_(new WindowClosing(services.jobs, this))
    , search_(new WindowSearch(services, this))
    , tool_bar_(new WindowToolBar(services, *actions_, this))
    , navigation_(new NavigationBar(this))
    , stack_(new PageStack(this))
    , welcome_(new WelcomePage(services.settings, this))
    , lost_(new LostWorkspacePage(*actions_->recent, this))
    , lesson_bar_(new LessonBar(this))
    , lessons_(new LessonPlayer(services, *this, *lesson_bar_))
    , applied_settings_(new AppliedSettings(services, this)) {
    setWindowIcon(application_icon());
    build();
    connect_actions();
    connect_start_pages();
    connect_parts();
    connect_workspace();
    add_search_source([this] { return actions_->search_items(); });
    show_workspace_state();
    resize(1280, 800);
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
    actions_->fill(*menuBar());
    addToolBar(tool_bar_);
    auto* page_area = new QWidget(this);
    auto* column = new QVBoxLayout(page_area);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    banners_ = new WindowBanners(services_, page_area);
    column->addWidget(banners_);
    column->addWidget(stack_, 1);
    stack_->addWidget(welcome_);
    stack_->addWidget(lost_);
    // A lesson's bar gets its height first; the page has the rest, and never less than it needs.
    auto* center = new YieldingArea(this);
    auto* row = new QHBoxLayout(center);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(navigation_);
    row->addWidget(page_area, 1);
    auto* above_lesson = new QWidget(this);
    auto* lines = new QVBoxLayout(above_lesson);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(center, 1);
    lines->addWidget(lesson_bar_);
    setCentralWidget(above_lesson);

    auto* strip = new JobStrip(services_.jobs, this);
    connect(&services_.session, &WorkspaceSession::opened, strip, &JobStrip::set_workspace);
    connect(&services_.session, &WorkspaceSession::closed, strip, [strip] { strip->set_workspace({}); });
    strip->set_workspace(services_.session.path());
    notices_ = new Notices(this);
    strip->add_messages(notices_);
    pages_ = new DomainPages(services_, *stack_, *welcome_, this);
    links_ = new WindowLinks(services_, *pages_, *notices_);
    // Behind the banners, which an opened workspace clears.
    demo_ = new WindowDemo(services_, *workspace_menu_, *lessons_, *actions_, this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(strip, 1);
}

void MainWindow::connect_actions() {
    const auto on = [this](QAction* action, auto&& act) {
        connect(action, &QAction::triggered, this, std::forward<decltype(act)>(act));
    };
    on(actions_->new_workspace, [this] { workspace_menu_->ask_for_new(); });
    on(actions_->open_workspace, [this] { workspace_menu_->ask_for_existing(); });
    on(actions_->open_demo, [this] { open_demo(); });
    on(actions_->close_workspace, [this] { services_.session.close(); });
    on(actions_->copy_link, [this] { links_->copy(); });
    on(actions_->paste_link, [this] { links_->paste(); });
    on(actions_->settings, [this] { show_settings(); });
    on(actions_->quit, [this] { close(); });
    on(actions_->changes, [this] { ChangesDialog::open_in(*this, services_); });
    on(actions_->back, [this] { services_.selection.go_back(); });
    on(actions_->forward, [this] { services_.selection.go_forward(); });
    on(actions_->search, [this] { search_->ask(); });
    on(actions_->help, [this] {
        const Page* const page = current_page();
        show_help(page != nullptr ? page->help_topic() : QStringLiteral("index"));
    });
    on(actions_->shortcuts, [this] { show_help(QStringLiteral("shortcuts")); });
    on(actions_->about, [this] { show_about(); });
    connect(actions_->full_screen, &QAction::toggled, arrangement_, &WindowArrangement::save);
    auto* teaching = new TeachingView(this);
    connect(actions_->full_screen, &QAction::toggled, teaching, &TeachingView::set_on);
}

void MainWindow::connect_start_pages() {
    connect(welcome_, &WelcomePage::recent_chosen, &services_.session, &WorkspaceSession::open);
    connect(lost_, &LostWorkspacePage::open_requested, workspace_menu_, &WorkspaceMenu::ask_for_existing);
    connect(lost_, &LostWorkspacePage::close_requested, &services_.session, &WorkspaceSession::close);
    connect(lost_, &LostWorkspacePage::retry_requested, this, [this] {
        if (services_.session.look_for_file())
            notices_->tell(tr("%1 is still not there.").arg(services_.session.path()), false);
    });
}

void MainWindow::connect_parts() {
    connect(navigation_, &NavigationBar::page_chosen, this, &MainWindow::show_page);
    connect(pages_, &DomainPages::added, this, [this](Page* page, const std::string& domain) {
        arrangement_->add_page(*page, domain);
        tell_of_page(*page, *notices_);
        connect(page, &Page::help_requested, this, &MainWindow::show_help);
    });
    connect(pages_, &DomainPages::removing, this, [this](Page* page) { arrangement_->remove_page(*page); });
    connect(pages_, &DomainPages::changed, this, &MainWindow::show_domain);
    connect(requests_, &WorkspaceRequests::workspace_needed, workspace_menu_, &WorkspaceMenu::open_untitled);
    connect(workspace_menu_, &WorkspaceMenu::failed, this,
            [this](const QString& reason) { notices_->tell(reason, true); });
    connect(demo_, &WindowDemo::newer_recording_found, banners_, &WindowBanners::offer_newer_demo);
    connect(demo_, &WindowDemo::problem_met, this,
            [this](const QString& problem) { notices_->tell(problem, true); });
    connect(banners_, &WindowBanners::newer_demo_accepted, demo_, &WindowDemo::renew);
    // Queued: what was said before a workspace is opened is cleared away by it.
    connect(
        workspace_menu_, &WorkspaceMenu::untitled_opened, this,
        [this](const QString& path) { notices_->tell(tr("A new workspace was made: %1").arg(path), false); },
        Qt::QueuedConnection);
    connect(new FileDrop(this), &FileDrop::dropped, files_,
            [this](const QStringList& files) { files_->open(files); });
    connect(closing_, &WindowClosing::notice, notices_,
            [this](const QString& text, bool is_problem) { notices_->tell(text, is_problem); });
    connect(search_, &WindowSearch::setting_chosen, this, &MainWindow::show_settings);
    connect(arrangement_, &WindowArrangement::saving, this, &MainWindow::keep_selection);
}

/// Of the workspace that is open, which shows it when it is opened again.
void MainWindow::keep_selection() {
    if (services_.session.is_open())
        services_.settings.set_layout(QStringLiteral("selection:") + services_.session.path(),
                                      to_link(services_.selection.current()).toUtf8());
}

void MainWindow::connect_workspace() {
    connect(&services_.session, &WorkspaceSession::opening, this, &MainWindow::keep_selection);
    tell_of_other_windows(services_.session, *notices_);
    tell_of_failures(services_, *notices_); // first: what is told of a workspace that was opened stays
    connect(&services_.session, &WorkspaceSession::opened, this, [this](const QString& path) {
        Selected selected =
            from_link(QString::fromUtf8(services_.settings.layout(QStringLiteral("selection:") + path)));
        if (page(selected.page) == nullptr)
            selected.page = pages_->shown().empty() ? QString() : pages_->shown().front()->id();
        services_.selection.reset(selected);
        if (services_.session.is_read_only())
            notices_->tell(tr("%1 can only be read: nothing can be added or measured.").arg(path), true);
        show_workspace_state();
    });
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &MainWindow::show_workspace_state);
    connect(&services_.session, &WorkspaceSession::closed, this, [this] {
        services_.selection.reset();
        show_workspace_state();
    });
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MainWindow::show_workspace_state);
    connect(&services_.session, &WorkspaceSession::open_elsewhere_changed, this,
            &MainWindow::show_workspace_state);
    connect(&services_.selection, &Selection::changed, this, &MainWindow::follow);
    connect(&services_.jobs, &JobService::job_finished, &services_.session, &WorkspaceSession::refresh);
}

/// What lists the pages of the domain that is looked at.
void MainWindow::show_domain() {
    const Domain& domain = services_.session.domain();
    tool_bar_->show_domain(domain);
    actions_->set_lessons_shown(demo_->has_lessons_of(domain));
    navigation_->set_pages(pages_->shown(), domain);
    search_->set_pages(pages_->shown());
    actions_->pages->clear();
    for (const Page* const page : pages_->shown()) {
        QAction* const action = actions_->pages->addAction(icon(page->icon_name()), page->title(domain));
        connect(action, &QAction::triggered, this, [this, id = page->id()] { show_page(id); });
    }
}

void MainWindow::add_page(Page* page, const std::string& domain) {
    pages_->add(page, domain);
}

void MainWindow::add_general_page(PagePlace place, PageMaker make) {
    pages_->add_general(place, std::move(make));
}

void MainWindow::set_domain_title(const std::string& domain, const QString& title) {
    tool_bar_->domain_switch().set_title(domain, title);
}

void MainWindow::add_import_command(const StartCommand& command, const std::string& domain) {
    actions_->add_import_command(*command.action);
    tool_bar_->add_import_command(*command.action, domain);
    starts_.push_back(command);
    show_workspace_state();
}

void MainWindow::set_file_import(const std::string& domain, std::function<void(const QStringList&)> import,
                                 const QStringList& patterns) {
    files_->set_import(domain, std::move(import), patterns);
}

void MainWindow::when_open(std::function<void()> action, std::function<void(const QString&)> give_up) {
    requests_->when_open({std::move(action), std::move(give_up)});
}

void MainWindow::set_demo(DemoWorkspace demo) {
    demo_->set_demo(std::move(demo));
    show_domain();
}

void MainWindow::add_lessons(const std::string& domain, LessonData offered) {
    demo_->add_lessons(domain, std::move(offered));
    show_domain();
}

void MainWindow::add_panel(const QString& id, const QString& title, SelectionPanel* panel) {
    arrangement_->add_panel(id, title, panel, *actions_->panels);
}

void MainWindow::add_search_source(SearchSource source) {
    search_->add_source(std::move(source));
}

void MainWindow::show_page(const QString& id) {
    services_.selection.select_page(id);
}

void MainWindow::show_help(const QString& topic) {
    const HelpLink link = parse_help_link(topic, QStringLiteral("index"));
    // Before the page is shown: its way back begins with what is seen first.
    if (auto* help = qobject_cast<HelpPage*>(page(QStringLiteral("help"))))
        help->show_topic(link.topic, link.anchor);
    show_page(QStringLiteral("help"));
}

void MainWindow::follow(const Selected& now) {
    Page* target = page(now.page);
    if (target != nullptr && target->id() != now.page) { // named by its place
        Selected exact = now;
        exact.page = target->id();
        return services_.selection.replace(std::move(exact));
    }
    const Page* before = current_page();
    const bool needs_workspace = now.page != QStringLiteral("help");
    if (target == nullptr || (needs_workspace && !services_.session.is_open()))
        stack_->setCurrentWidget(welcome_);
    else if (needs_workspace && services_.session.is_gone())
        stack_->setCurrentWidget(lost_);
    else
        stack_->setCurrentWidget(target);
    banners_->show_page(current_page());
    if (current_page() != before) {
        stack_->updateGeometry();
        arrangement_->fit_panel(); // another page may leave more room for it, or less
    }
    if (current_page() != nullptr && current_page() != before)
        current_page()->setFocus(); // its table, so that the keyboard works at once
    arrangement_->show_panels(current_page() != nullptr && services_.session.is_open());
    navigation_->set_current(current_page() == nullptr ? QString() : now.page);
    set_availability(*actions_->back,
                     services_.selection.can_go_back() ? QString() : tr("There is nothing before this."));
    set_availability(*actions_->forward,
                     services_.selection.can_go_forward() ? QString() : tr("There is nothing after this."));
    arrangement_->save_soon();
}

void MainWindow::show_workspace_state() {
    const QString path = services_.session.path();
    const QString name = QFileInfo(path).completeBaseName();
    const bool is_read_only = services_.session.is_read_only();
    const bool is_gone = services_.session.is_gone();
    actions_->set_workspace(services_.session.is_open(), is_read_only, is_gone);
    if (is_gone)
        lost_->show_workspace(path);
    tool_bar_->show_workspace(services_.session);
    setWindowTitle(path.isEmpty() ? application_name() : tr("%1 — %2").arg(name, application_name()));
    follow(services_.selection.current());
}

void MainWindow::open_files(const QStringList& files, const std::string& domain) {
    files_->open(files, domain);
}

void MainWindow::open_demo() {
    demo_->open();
}

void MainWindow::restore_session() {
    const QString path = services_.settings.workspace.get();
    if (services_.settings.restores_session.get() && QFileInfo::exists(path))
        services_.session.open(path);
}

void MainWindow::show_starts() {
    if (demo_->is_there())
        welcome_->add_command({actions_->open_demo, tr("Open &demo workspace"), QStringLiteral("search")});
    for (const StartCommand& command : starts_)
        welcome_->add_command(command);
    if (demo_->is_there())
        welcome_->add_command({actions_->tour, tr("Guided to&ur"), QStringLiteral("help")});
}

void MainWindow::restore_arrangement() {
    arrangement_->restore();
    follow(services_.selection.current());
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

void MainWindow::closeEvent(QCloseEvent* event) {
    arrangement_->save();
    event->setAccepted(closing_->may_close_now());
}

QString MainWindow::open_link(const Selected& target) {
    return links_->open(target);
}

void MainWindow::use_theme_for_this_run(ThemeChoice choice) {
    applied_settings_->use_theme_for_this_run(choice);
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange)
        applied_settings_->follow_desktop();
    return QMainWindow::event(event);
}

/// Tab walks through the navigation, the page, the selection, the toolbar and what is below the page.
bool MainWindow::focusNextPrevChild(bool next) {
    std::vector<QWidget*> areas{navigation_, stack_};
    for (QDockWidget* const dock : findChildren<QDockWidget*>())
        areas.push_back(dock);
    for (QWidget* const area : std::initializer_list<QWidget*>{tool_bar_, lesson_bar_, statusBar()})
        areas.push_back(area);
    return focus_next_stop(*this, areas, next) || QMainWindow::focusNextPrevChild(next);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    navigation_->set_folded(width() < narrow_window);
    arrangement_->fit_panel();
    arrangement_->save_soon();
}

} // namespace sparsight
