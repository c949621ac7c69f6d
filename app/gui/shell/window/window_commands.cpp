#include "gui/shell/window/window_commands.h"

#include "gui/help/lesson.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/domain_words.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

namespace sparsight {

WindowActions::WindowActions(QWidget* window)
    : QObject(window)
    , recent(new QMenu(tr("Open &Recent"), window))
    , domains(new QMenu(tr("&Domain"), window))
    , pages(new QMenu(tr("&Pages"), window))
    , panels(new QMenu(tr("P&anels"), window))
    , lessons(new QMenu(tr("&Lessons"), window))
    , window_(window) {
    new_workspace = make(QStringLiteral("new-workspace"), tr("&New Workspace…"), QStringLiteral("new"),
                         QKeySequence::New, tr("Make a file that holds a whole experiment"));
    open_workspace = make(QStringLiteral("open-workspace"), tr("&Open Workspace…"), QStringLiteral("open"),
                          QKeySequence::Open, tr("Open another workspace"));
    open_demo =
        make(QStringLiteral("open-demo"), tr("Open &Demo Workspace"), QStringLiteral("search"), {}, {});
    close_workspace = make(QStringLiteral("close-workspace"), tr("&Close Workspace"), QStringLiteral("close"),
                           QKeySequence::Close, tr("Back to the start"));
    settings = make(QStringLiteral("settings"), tr("S&ettings…"), QStringLiteral("settings"),
                    QKeySequence(QStringLiteral("Ctrl+,")), tr("Threads, worker, look, numbers"));
    settings->setMenuRole(QAction::PreferencesRole);
    quit = make(QStringLiteral("quit"), tr("&Quit"), QStringLiteral("close"),
                QKeySequence(QStringLiteral("Ctrl+Q")), tr("Close the window"));
    quit->setMenuRole(QAction::QuitRole);
    full_screen =
        make(QStringLiteral("full-screen"), tr("&Full Screen, Large Type"), QStringLiteral("zoom-reset"),
             QKeySequence(QStringLiteral("F11")), tr("Fills the screen and enlarges the type, for teaching"));
    full_screen->setCheckable(true);
    changes = make(QStringLiteral("changes"), tr("&Changes in Measured Times…"), QStringLiteral("compare"),
                   QKeySequence(QStringLiteral("Ctrl+T")),
                   tr("Compare times that were measured again with those that they replaced"));
    back = make(QStringLiteral("back"), tr("&Back"), QStringLiteral("back"),
                QKeySequence(QStringLiteral("Alt+Left")), tr("What was selected before"));
    forward = make(QStringLiteral("forward"), tr("&Forward"), QStringLiteral("forward"),
                   QKeySequence(QStringLiteral("Alt+Right")), tr("What was selected after this"));
    search = make(QStringLiteral("search-everything"), tr("&Search Everything…"), QStringLiteral("search"),
                  QKeySequence(QStringLiteral("Ctrl+K")),
                  tr("Find data, machines and their parameters, pages, commands, settings and help"));
    copy_link = make(QStringLiteral("copy-link"), tr("&Copy Link to This View"), QStringLiteral("copy"),
                     QKeySequence(QStringLiteral("Ctrl+Shift+C")),
                     tr("Page and selection as a text that another copy of this workspace opens"));
    paste_link = make(QStringLiteral("paste-link"), tr("Open &Link"), QStringLiteral("forward"),
                      QKeySequence(QStringLiteral("Ctrl+Shift+V")), tr("Go to the view on the clipboard"));
    help = make(QStringLiteral("help"), tr("&Help on This Page"), QStringLiteral("help"),
                QKeySequence::HelpContents, tr("What this page shows, and what everything on it means"));
    tour = make(QStringLiteral("tour"), tr("&Guided Tour"), QStringLiteral("play"), {}, {});
    lessons->setToolTipsVisible(true);
    lessons->menuAction()->setVisible(false);
    for (QAction* const action : {open_demo, tour})
        action->setVisible(false);
    shortcuts = make(QStringLiteral("shortcuts"), tr("&Keyboard Shortcuts"), QStringLiteral("keyboard"), {},
                     tr("All keys on one page"));
    about = make(QStringLiteral("about"), tr("&About Sparsight"), QStringLiteral("info"), {},
                 tr("Version, licences, libraries"));
    about->setMenuRole(QAction::AboutRole);
}

QAction* WindowActions::make(const QString& name, const QString& text, const QString& icon,
                             const QKeySequence& keys, const QString& tip) {
    auto* action = new QAction(sparsight::icon(icon), text, window_);
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setToolTip(tip);
    window_->addAction(action);
    all_.push_back(action);
    return action;
}

void WindowActions::fill(QMenuBar& bar) {
    QMenu* file = bar.addMenu(tr("&File"));
    file_ = file;
    file->addAction(new_workspace);
    file->addAction(open_workspace);
    file->addMenu(recent);
    file->addAction(open_demo);
    file->addAction(close_workspace);
    file->addSeparator();
    behind_imports_ = file->addSeparator();
    file->addAction(settings);
    file->addSeparator();
    file->addAction(quit);

    QMenu* view = bar.addMenu(tr("&View"));
    view->addMenu(domains);
    view->addMenu(pages);
    view->addMenu(panels);
    view->addSeparator();
    view->addAction(changes);
    view->addAction(full_screen);

    QMenu* go = bar.addMenu(tr("&Go"));
    go->addAction(back);
    go->addAction(forward);
    go->addAction(search);
    go->addSeparator();
    go->addAction(copy_link);
    go->addAction(paste_link);

    QMenu* help_menu = bar.addMenu(tr("&Help"));
    help_menu->addAction(help);
    help_menu->addAction(tour);
    help_menu->addMenu(lessons);
    help_menu->addAction(shortcuts);
    help_menu->addSeparator();
    help_menu->addAction(about);
    for (QMenu* menu : {file, view, go, help_menu, domains})
        menu->setToolTipsVisible(true);
}

void WindowActions::add_import_command(QAction& command) {
    window_->addAction(&command);
    file_->insertAction(behind_imports_, &command);
    imports_.push_back(&command);
    all_.push_back(&command);
}

void WindowActions::set_demo(const QString& summary) {
    open_demo->setToolTip(summary);
    open_demo->setVisible(true);
}

QAction* WindowActions::add_lesson(const Lesson& lesson) {
    if (lesson.place == 0) {
        tour->setToolTip(lesson.summary);
        tour->setVisible(true);
        return tour;
    }
    QAction* const action = make(QStringLiteral("lesson-") + lesson.id, lesson.title, QStringLiteral("play"),
                                 {}, tr("%1 (%2 minutes)").arg(lesson.summary).arg(lesson.minutes));
    QStringList said{lesson.summary};
    for (const LessonStep& step : lesson.steps)
        said << step.title + QStringLiteral(".") << step.text;
    action->setData(said.join(u' ').remove(QStringLiteral("**")).remove(u'`'));
    lessons->addAction(action);
    lessons->menuAction()->setVisible(true);
    lessons_.push_back(action);
    return action;
}

void WindowActions::set_lessons_shown(bool are_shown) {
    for (QAction* const action : lessons_)
        action->setVisible(are_shown);
    lessons->menuAction()->setVisible(are_shown && !lessons_.empty());
}

void WindowActions::set_workspace(bool is_open, bool is_read_only, bool is_gone) {
    const QString none = is_open ? QString() : tr("No workspace is open.");
    // Without a workspace, adding to one makes it.
    const QString not_writable = is_gone ? tr("The file of this workspace is not there any more.")
                                 : is_open && is_read_only
                                     ? tr("This workspace can only be read: nothing can be added to it.")
                                     : QString();
    set_availability(*close_workspace, none);
    set_availability(*changes, none);
    for (QAction* const command : imports_)
        set_availability(*command, not_writable);
    set_availability(*copy_link, none);
    set_availability(*paste_link, none);
}

std::vector<SearchItem> WindowActions::search_items() const {
    std::vector<SearchItem> items;
    for (QAction* action : all_) {
        if (!action->isEnabled() || !action->isVisible() || action == search)
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const bool is_lesson = std::ranges::count(lessons_, action) > 0;
        items.push_back({action->text().remove(QLatin1Char('&')),
                         is_lesson        ? tr("lesson")
                         : keys.isEmpty() ? tr("command")
                                          : tr("command · %1").arg(keys),
                         is_lesson ? QStringLiteral("play") : QStringLiteral("more"),
                         [action] { action->trigger(); },
                         is_lesson ? action->data().toString() : action->toolTip()});
    }
    return items;
}

DomainSwitch::DomainSwitch(Services services, QMenu& menu, QWidget* parent)
    : QToolButton(parent)
    , services_(services)
    , menu_(menu) {
    setObjectName(QStringLiteral("domain"));
    setAccessibleName(tr("Domain"));
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setMenu(&menu);
    auto* const choices = new QActionGroup(&menu);
    for (const Domain* const domain : services_.session.domains().all()) {
        QAction* const choice = menu.addAction(title_of(*domain));
        choice->setCheckable(true);
        choice->setActionGroup(choices);
        choice->setData(QString::fromStdString(std::string(domain->name())));
        connect(choice, &QAction::triggered, this, [this, domain] {
            services_.session.choose_domain(*domain);
            show_state(); // the choice is ticked once its contents are read
        });
    }
    for (const auto changed : {&WorkspaceSession::domain_changed, &WorkspaceSession::closed})
        connect(&services_.session, changed, this, &DomainSwitch::show_state);
    connect(&services_.session, &WorkspaceSession::opened, this, &DomainSwitch::show_state);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &DomainSwitch::show_state);
    for (const auto changed : {&JobService::job_added, &JobService::job_changed, &JobService::job_removed})
        connect(&services_.jobs, changed, this, &DomainSwitch::show_state);
    show_state();
}

void DomainSwitch::set_title(const std::string& domain, const QString& title) {
    titles_[domain] = title;
    show_state();
}

QString DomainSwitch::title_of(const Domain& domain) const {
    const auto own = titles_.find(domain.name());
    return own == titles_.end() ? title_of_many(domain.words().workload) : own->second;
}

QString DomainSwitch::reason_against() const {
    if (menu_.actions().size() < 2)
        return tr("This program has one domain only.");
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    if (services_.session.is_gone())
        return tr("The file of this workspace is not there any more.");
    const auto is_at_work = [this](const Job& job) {
        return is_active(job.state) && job.workspace == services_.session.path();
    };
    if (std::ranges::any_of(services_.jobs.jobs(), is_at_work))
        return tr("A job is running in this workspace. Wait for it, pause it or stop it first.");
    return {};
}

void DomainSwitch::show_state() {
    const Domain& domain = services_.session.domain();
    const QString reason = reason_against();
    setText(title_of(domain));
    for (QAction* const choice : menu_.actions()) {
        if (const Domain* const known =
                services_.session.domains().find(choice->data().toString().toStdString()))
            choice->setText(title_of(*known));
        choice->setChecked(choice->data().toString().toStdString() == domain.name());
        choice->setEnabled(reason.isEmpty());
        choice->setToolTip(reason);
    }
    setEnabled(reason.isEmpty());
    setToolTip(reason.isEmpty() ? tr("What this workspace is looked at for: its %1 and their %2")
                                      .arg(many(domain.words().workload), many(domain.words().configuration))
                                : reason);
}

WindowToolBar::WindowToolBar(Services services, const WindowActions& actions, QWidget* window)
    : QToolBar(tr("Navigation"), window)
    , workspace_(new QToolButton(this))
    , domain_(new DomainSwitch(services, *actions.domains, this)) {
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
    addWidget(domain_);
    auto* space = new QWidget(this);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(space);
    search_ = add_button(*actions.search, nullptr);
    addAction(actions.help);
    for (QAction* const action : {actions.back, actions.forward, actions.help})
        widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
}

QAction* WindowToolBar::add_button(QAction& command, QAction* before) {
    auto* button = new QToolButton(this);
    button->setObjectName(command.objectName() + QStringLiteral("-button"));
    button->setDefaultAction(&command);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return insertWidget(before, button);
}

void WindowToolBar::add_import_command(QAction& command, std::string domain) {
    of_domains_.push_back({add_button(command, search_), std::move(domain)});
}

void WindowToolBar::show_domain(const Domain& domain) {
    for (const DomainButton& button : of_domains_)
        button.shown->setVisible(button.domain == domain.name());
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
