#include "gui/shell/failure_notices.h"

#include "gui/jobs/job_service.h"
#include "gui/page/page.h"
#include "gui/shell/notices.h"
#include "gui/workspace/workspace_session.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace sparsight {

namespace {

struct Failures {
    Q_DECLARE_TR_FUNCTIONS(sparsight::FailureNotices)
};

QString cause_of(const JobId& job) {
    return QStringLiteral("job:") + job.toString(QUuid::WithoutBraces);
}

/// The same again: what became of it before is no news any more.
void settle_earlier(const JobService& jobs, const JobId& id, Notices& notices) {
    const auto started = jobs.job(id);
    for (const Job& job : jobs.jobs())
        if (started && job.id != id && is_over(job.state) && job.kind == started->kind &&
            job.workspace == started->workspace && job.title == started->title)
            notices.settle(cause_of(job.id));
}

void tell_of_jobs(const Services& services, Notices& notices) {
    const JobService& jobs = services.jobs;
    QObject::connect(&jobs, &JobService::job_finished, &notices, [&jobs, &notices](const JobId& id) {
        const auto job = jobs.job(id);
        if (job && job->state == JobState::Failed && !job->adds_matrices())
            notices.tell_of(cause_of(id), Failures::tr("%1: %2").arg(job->title, job->error));
    });
    QObject::connect(&jobs, &JobService::job_added, &notices,
                     [&jobs, &notices](const JobId& id) { settle_earlier(jobs, id, notices); });
    QObject::connect(&jobs, &JobService::job_removed, &notices,
                     [&notices](const JobId& id) { notices.settle(cause_of(id)); });
}

} // namespace

void tell_of_failures(const Services& services, Notices& notices) {
    const WorkspaceSession& session = services.session;
    QObject::connect(&session, &WorkspaceSession::opened, &notices, &Notices::settle_all);
    QObject::connect(&session, &WorkspaceSession::closed, &notices, &Notices::settle_all);
    QObject::connect(&session, &WorkspaceSession::measurements_changed, &notices, [&session, &notices] {
        notices.settle(QStringLiteral("workspace:") + session.path()); // said of every reading that went well
    });
    QObject::connect(&session, &WorkspaceSession::failed, &notices,
                     [&notices](const QString& path, const QString& reason) {
                         notices.tell_of(QStringLiteral("workspace:") + path, reason);
                     });
    tell_of_jobs(services, notices);
}

void tell_of_other_windows(const WorkspaceSession& session, Notices& notices) {
    QObject::connect(
        &session, &WorkspaceSession::open_elsewhere_changed, &notices,
        [&session, &notices](bool is_open_elsewhere) {
            const QString name = QFileInfo(session.path()).completeBaseName();
            const QString cause = QStringLiteral("open-elsewhere");
            if (is_open_elsewhere) {
                notices.tell_of(
                    cause,
                    Failures::tr("%1 is open in another window, too. Both may write: each change is kept at "
                                 "once and shows in both windows, and jobs of one wait for those of the "
                                 "other. Nothing is lost.")
                        .arg(name));
                return;
            }
            notices.settle(cause);
            if (session.is_open())
                notices.tell(Failures::tr("%1 is open in this window alone again.").arg(name), false);
        });
}

void tell_of_page(Page& page, Notices& notices) {
    QObject::connect(&page, &Page::notice, &notices,
                     [&notices, id = page.id()](const QString& text, bool is_problem, const QString& action) {
                         const QString cause =
                             action.isEmpty() ? QString() : QStringLiteral("page:%1:%2").arg(id, action);
                         notices.tell(text, is_problem, cause);
                     });
}

} // namespace sparsight
