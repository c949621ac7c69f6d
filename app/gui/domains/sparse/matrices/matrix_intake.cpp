#include "gui/domains/sparse/matrices/matrix_intake.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "gui/domains/sparse/matrices/import_dialog.h"
#include "gui/domains/sparse/matrices/simulate_dialog.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/selection/selection.h"
#include "gui/shell/window/main_window.h"
#include "gui/shell/window/notices.h"
#include "gui/workspace/workspace_session.h"

#include <QFileInfo>

namespace sparsight {

namespace {

constexpr int most_failures_told = 3;

/// The cause of a job's problem is what the job adds: the next job for the same may succeed.
QString cause_of(const QString& title) {
    return QStringLiteral("intake:") + title;
}

} // namespace

MatrixIntake::MatrixIntake(Services services, MainWindow& window)
    : QObject(&window)
    , services_(services)
    , window_(window) {
    connect(&services_.jobs, &JobService::event_received, this, &MatrixIntake::take);
    connect(&services_.jobs, &JobService::job_finished, this, &MatrixIntake::tell);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MatrixIntake::select_awaited);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] { awaited_.clear(); });
}

/// The existing files are imported all the same.
QStringList MatrixIntake::without_missing(const QStringList& files) {
    QStringList there;
    for (const QString& file : files) {
        const bool is_there = QFileInfo::exists(file);
        if (is_there)
            there << file;
        window_.notices().tell(is_there ? QString() : tr("There is no file %1.").arg(file), !is_there,
                               QStringLiteral("missing:") + file);
    }
    return there;
}

void MatrixIntake::import_files(const QStringList& wanted) {
    const QStringList files = without_missing(wanted);
    if (files.isEmpty() && !wanted.isEmpty())
        return;
    if (files.isEmpty())
        choose_files();
    else
        window_.when_open([this, files] { start_import(files); });
}

/// A workspace is made only when there is something to put into it.
void MatrixIntake::choose_files() {
    auto* dialog = new ImportDialog(services_.settings, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::import_files, this,
            [this](const QStringList& files) { import_files(files); });
    dialog->open();
}

void MatrixIntake::start_import(const QStringList& files) {
    ImportJob job;
    job.workload = sparse_words().workload;
    job.workspace = services_.session.path();
    job.files = files;
    if (services_.session.domain().name() != sparse_domain)
        job.domain = QString::fromUtf8(sparse_domain.data(), std::ssize(sparse_domain));
    const QString title = describe(job).title;
    tell_start(services_.jobs, services_.jobs.start(job), title, window_.notices(), cause_of(title));
}

void MatrixIntake::simulate() {
    auto* dialog = new SimulateDialog(&window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SimulateDialog::simulate, this,
            [this, asker = QPointer(dialog)](const SimulateJob& job) {
                window_.when_open([this, job, asker] { start_simulation(job, asker); },
                                  [asker](const QString& reason) {
                                      if (asker)
                                          asker->refuse(reason);
                                  });
            });
    const auto show_destination = [this, dialog] { dialog->set_destination(services_.session.path()); };
    connect(&services_.session, &WorkspaceSession::opened, dialog, show_destination);
    connect(&services_.session, &WorkspaceSession::closed, dialog, show_destination);
    show_destination();
    auto* exports = new ExportNotices(*dialog);
    connect(exports, &ExportNotices::notice, &window_.notices(), &Notices::tell);
    dialog->show(); // not modal, so that several matrices can be added one after the other
}

void MatrixIntake::start_simulation(const SimulateJob& job, const QPointer<SimulateDialog>& asker) {
    SimulateJob here = job;
    here.workspace = services_.session.path();
    const auto started = services_.jobs.start(here);
    const QString title = describe(here).title;
    tell_start(services_.jobs, started, title, window_.notices(), cause_of(title));
    if (!asker)
        return;
    if (started)
        asker->confirm();
    else
        asker->refuse(started.error());
}

void MatrixIntake::take(const JobId& id, const QJsonObject& event) {
    const auto job = services_.jobs.job(id);
    if (!job || (job->kind != JobKind::Import && job->kind != simulate_kind()))
        return;
    const QString what = event[QStringLiteral("event")].toString();
    Yield& yield = yields_[id];
    if (what == QStringLiteral("imported") || what == QStringLiteral("simulated")) {
        ++yield.added;
        if (yield.first.isEmpty())
            yield.first = event[QStringLiteral("name")].toString();
        services_.session.refresh();
    } else if (what == QStringLiteral("failed")) {
        const int line = event[QStringLiteral("line")].toInt();
        const QString file = QFileInfo(event[QStringLiteral("file")].toString()).fileName();
        const QString where = file.isEmpty() ? QString()
                              : line > 0     ? tr("%1, line %2: ").arg(file).arg(line)
                                             : tr("%1: ").arg(file);
        yield.failures << where + event[QStringLiteral("error")].toString();
    }
}

void MatrixIntake::select_awaited() {
    if (!awaited_.isEmpty() && services_.session.workload(awaited_) != nullptr)
        services_.selection.select_workload(std::exchange(awaited_, QString()));
}

void MatrixIntake::tell(const JobId& id) {
    const auto job = services_.jobs.job(id);
    const Yield yield = yields_.take(id);
    if (!job || (job->kind != JobKind::Import && job->kind != simulate_kind()))
        return;
    services_.session.refresh();
    const QString cause = cause_of(job->title);
    const bool is_problem = !yield.failures.isEmpty() || job->state == JobState::Failed;
    if (!yield.failures.isEmpty()) {
        QStringList told = yield.failures.mid(0, most_failures_told);
        if (yield.failures.size() > most_failures_told)
            told << tr("… and %1 more, in the job’s log").arg(yield.failures.size() - most_failures_told);
        window_.notices().tell(told_of_job(told.join(QLatin1Char('\n')), *job, services_.session.path()),
                               true, cause);
    } else if (job->state == JobState::Failed) {
        window_.notices().tell(told_of_job(job->error, *job, services_.session.path()), true, cause);
    }
    if (yield.added > 0 && job->workspace == services_.session.path()) {
        window_.notices().tell(tr("Matrices added: %1").arg(yield.added), false,
                               is_problem ? QString() : cause);
        awaited_ = yield.first;
        if (const Domain* const domain = services_.session.domains().find(sparse_domain))
            services_.session.choose_domain(*domain); // what was added is shown
        select_awaited();
    }
}

} // namespace sparsight
