#include "gui/shell/matrix_intake.h"

#include "gui/domains/sparse/matrices/import_dialog.h"
#include "gui/domains/sparse/matrices/simulate_dialog.h"
#include "gui/jobs/job_service.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QWidget>
#include <QWindow>

namespace sparsight {

namespace {

constexpr int most_failures_told = 3;

/// The cause of a job's problem is what the job adds: the next job for the same may succeed.
QString cause_of(const QString& title) {
    return QStringLiteral("intake:") + title;
}

} // namespace

MatrixIntake::MatrixIntake(Services services, QWidget* window)
    : QObject(window)
    , services_(services)
    , window_(window) {
    connect(&services_.jobs, &JobService::event_received, this, &MatrixIntake::take);
    connect(&services_.jobs, &JobService::job_finished, this, &MatrixIntake::tell);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MatrixIntake::select_awaited);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        awaited_.clear();
        for (const Wish& wish : std::exchange(after_opening_, {}))
            wish.meet();
    });
    // A request that could not be met must not be carried out in the next workspace.
    connect(&services_.session, &WorkspaceSession::failed, this,
            [this](const QString&, const QString& reason) { give_up(reason); });
}

void MatrixIntake::give_up(const QString& reason) {
    for (const Wish& wish : std::exchange(after_opening_, {}))
        if (wish.give_up)
            wish.give_up(reason);
}

void MatrixIntake::when_open(Wish wish) {
    if (services_.session.is_open()) {
        wish.meet();
        return;
    }
    after_opening_.push_back(std::move(wish));
    if (after_opening_.size() == 1)
        Q_EMIT workspace_needed();
}

/// The existing files are imported all the same.
QStringList MatrixIntake::without_missing(const QStringList& files) {
    QStringList there;
    for (const QString& file : files) {
        const bool is_there = QFileInfo::exists(file);
        if (is_there)
            there << file;
        Q_EMIT notice(is_there ? QString() : tr("There is no file %1.").arg(file), !is_there,
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
        when_open({.meet = [this, files] { start_import(files); }, .give_up = {}});
}

/// A workspace is made only when there is something to put into it.
void MatrixIntake::choose_files() {
    auto* dialog = new ImportDialog(services_.settings, window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::import_files, this,
            [this](const QStringList& files) { import_files(files); });
    dialog->open();
}

void MatrixIntake::start_import(const QStringList& files) {
    ImportJob job;
    job.workspace = services_.session.path();
    job.files = files;
    if (services_.session.domain().name() != matrix_domain)
        job.domain = QString::fromUtf8(matrix_domain.data(), std::ssize(matrix_domain));
    if (const auto started = services_.jobs.start(job); !started)
        Q_EMIT notice(started.error(), true, cause_of(describe(job).title));
}

void MatrixIntake::import_after_opening(const QStringList& files) {
    after_opening_.push_back({.meet = [this, files] { import_files(files); }, .give_up = {}});
}

void MatrixIntake::simulate() {
    auto* dialog = new SimulateDialog(window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SimulateDialog::simulate, this,
            [this, asker = QPointer(dialog)](const SimulateJob& job) {
                when_open({.meet = [this, job, asker] { start_simulation(job, asker); },
                           .give_up =
                               [asker](const QString& reason) {
                                   if (asker)
                                       asker->refuse(reason);
                               }});
            });
    const auto show_destination = [this, dialog] { dialog->set_destination(services_.session.path()); };
    connect(&services_.session, &WorkspaceSession::opened, dialog, show_destination);
    connect(&services_.session, &WorkspaceSession::closed, dialog, show_destination);
    show_destination();
    auto* exports = new ExportNotices(*dialog);
    connect(exports, &ExportNotices::notice, this, &MatrixIntake::notice);
    dialog->show(); // not modal, so that several matrices can be added one after the other
}

void MatrixIntake::start_simulation(const SimulateJob& job, const QPointer<SimulateDialog>& asker) {
    SimulateJob here = job;
    here.workspace = services_.session.path();
    const auto started = services_.jobs.start(here);
    Q_EMIT notice(started ? QString() : started.error(), !started, cause_of(describe(here).title));
    if (!asker)
        return;
    if (started)
        asker->confirm();
    else
        asker->refuse(started.error());
}

void MatrixIntake::take(const JobId& id, const QJsonObject& event) {
    const auto job = services_.jobs.job(id);
    if (!job || (job->kind != JobKind::Import && job->kind != JobKind::Simulate))
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
    if (!job || (job->kind != JobKind::Import && job->kind != JobKind::Simulate))
        return;
    services_.session.refresh();
    const QString cause = cause_of(job->title);
    const bool is_problem = !yield.failures.isEmpty() || job->state == JobState::Failed;
    if (!yield.failures.isEmpty()) {
        QStringList told = yield.failures.mid(0, most_failures_told);
        if (yield.failures.size() > most_failures_told)
            told << tr("… and %1 more, in the job’s log").arg(yield.failures.size() - most_failures_told);
        Q_EMIT notice(told.join(QLatin1Char('\n')), true, cause);
    } else if (job->state == JobState::Failed) {
        Q_EMIT notice(job->error, true, cause);
    }
    if (yield.added > 0 && job->workspace == services_.session.path()) {
        Q_EMIT notice(tr("Matrices added: %1").arg(yield.added), false, is_problem ? QString() : cause);
        awaited_ = yield.first;
        if (const Domain* const domain = services_.session.domains().find(matrix_domain))
            services_.session.choose_domain(*domain); // what was added is shown
        select_awaited();
    }
}

FileDrop::FileDrop(QWidget* window)
    : QObject(window)
    , window_(window) {
    window->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Show: // the window now has a native window, which receives drags first
        if (watched == window_ && window_->windowHandle() != nullptr)
            window_->windowHandle()->installEventFilter(this);
        break;
    case QEvent::DragEnter:
    case QEvent::DragMove:
        return take(*static_cast<QDropEvent*>(event), false);
    case QEvent::Drop:
        return take(*static_cast<QDropEvent*>(event), true);
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool FileDrop::take(QDropEvent& event, bool is_drop) {
    const QStringList files = local_files(*event.mimeData());
    if (files.isEmpty())
        return false;
    if (QApplication::activeModalWidget() != nullptr) { // the open dialog must be answered first
        event.ignore();
        return true;
    }
    event.acceptProposedAction();
    if (is_drop)
        Q_EMIT dropped(files);
    return true;
}

} // namespace sparsight
