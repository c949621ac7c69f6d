#include "gui/shell/window/window_demo.h"

#include "gui/help/lesson.h"
#include "gui/jobs/job_service.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/shell/lesson_player.h"
#include "gui/shell/window/window_commands.h"
#include "gui/shell/workspace_menu.h"
#include "gui/workspace/workspace_session.h"
#include "study/domain.h"

#include <QFile>
#include <algorithm>
#include <utility>

namespace sparsight {

WindowDemo::WindowDemo(Services services, WorkspaceMenu& workspaces, LessonPlayer& lessons,
                       WindowActions& actions, QWidget* window)
    : QObject(window)
    , services_(services)
    , workspaces_(workspaces)
    , lessons_(lessons)
    , actions_(actions)
    , window_(window) {
    connect(&workspaces_, &WorkspaceMenu::failed, &lessons_, &LessonPlayer::give_up);
    connect(&workspaces_, &WorkspaceMenu::demo_made, this, &WindowDemo::add_recorded_jobs);
    connect(&workspaces_, &WorkspaceMenu::demo_made, this, &WindowDemo::select_first_model);
    connect(&services_.session, &WorkspaceSession::opened, this, [this](const QString& path) {
        if (demo_ && WorkspaceMenu::is_of_older_recording(path, demo_->recording))
            Q_EMIT newer_recording_found();
    });
}

WindowDemo::~WindowDemo() = default;

void WindowDemo::set_demo(DemoWorkspace demo) {
    demo_ = std::make_unique<const DemoWorkspace>(std::move(demo));
    actions_.set_demo(demo_->summary);
    add_lessons(demo_->domain, demo_->data);
}

void WindowDemo::add_lessons(const std::string& domain, LessonData data) {
    lessons_.offer(std::move(data));
    taught_.insert(domain);
    for (const Lesson& one : lessons_of(QString::fromStdString(domain)))
        connect(actions_.add_lesson(one), &QAction::triggered, this, [this, one] { begin_lesson(one); });
}

bool WindowDemo::has_lessons_of(const Domain& domain) const {
    return taught_.contains(std::string(domain.name()));
}

void WindowDemo::open() {
    if (demo_)
        workspaces_.open_demo(demo_->recording);
}

void WindowDemo::renew() {
    const auto jobs = services_.jobs.jobs();
    const bool is_in_use = std::ranges::any_of(jobs, [&](const Job& job) {
        return job.workspace == WorkspaceMenu::demo_path() && !is_over(job.state);
    });
    if (is_in_use)
        Q_EMIT problem_met(tr("The demo workspace has jobs: wait until they have ended, or stop them."));
    else if (demo_)
        workspaces_.renew_demo(demo_->recording);
}

/// Those that can't be added are missing on one page; the demo is open all the same.
void WindowDemo::add_recorded_jobs(const QString& workspace) {
    for (const DemoWorkspace::RecordedJob& recorded : demo_->jobs) {
        QFile events(recorded.events);
        if (!events.open(QIODevice::ReadOnly))
            continue;
        const auto added = services_.jobs.add_recorded(recorded.description(workspace), events.readAll());
        if (!added)
            Q_EMIT problem_met(added.error());
    }
}

/// As if the user had left it so: what was selected in a demo before is of another recording.
void WindowDemo::select_first_model(const QString& workspace) {
    Selected first;
    first.model = demo_->model;
    services_.settings.set_layout(QStringLiteral("selection:") + workspace, to_link(first).toUtf8());
}

void WindowDemo::begin_lesson(const Lesson& lesson) {
    ask_before_demo(window_, services_.session.path(), WorkspaceMenu::demo_path(), [this, lesson] {
        lessons_.begin_when_open(WorkspaceMenu::demo_path(), lesson);
        open();
    });
}

} // namespace sparsight
