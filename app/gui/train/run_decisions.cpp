#include "gui/train/run_decisions.h"

#include "gui/jobs/job_service.h"
#include "gui/runs/discard_run.h"
#include "gui/runs/run_job.h"
#include "gui/train/run_header.h"
#include "gui/workspace/workspace_session.h"

#include <QMessageBox>
#include <QPushButton>

namespace sparsight {

RunDecisions::RunDecisions(Services services, const TrainingRuns& runs, const RunHeader& header,
                           QWidget& page)
    : QObject(&page)
    , services_(services)
    , runs_(runs)
    , page_(page) {
    connect(&header, &RunHeader::keep_requested, this, [this](qint64 run) {
        if (const TrainingRun* stored = runs_.run(RunId{run}))
            work_at(RunId{run}, keeping_job(services_.session.path(), *stored));
    });
    connect(&header, &RunHeader::going_on_requested, this, [this](qint64 run) {
        if (const TrainingRun* stored = runs_.run(RunId{run}))
            work_at(RunId{run}, going_on_job(services_.session.path(), *stored));
    });
    connect(&header, &RunHeader::discard_requested, this, [this](qint64 run) { ask_to_discard(RunId{run}); });
}

/// Two at one run would be in each other's way.
void RunDecisions::work_at(RunId run, const JobDescription& description) {
    if (const auto at_it = runs_.job_of(run); at_it && !is_over(at_it->state))
        return;
    const auto job = services_.jobs.start(description);
    if (job)
        Q_EMIT started(*job);
    Q_EMIT notice(job ? QString() : job.error(), !job,
                  QStringLiteral("go on with run %1").arg(static_cast<qint64>(run)));
}

void RunDecisions::ask_to_discard(RunId run) {
    const TrainingRun* stored = runs_.run(run);
    if (stored == nullptr)
        return;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Discard %1?").arg(stored->name),
                                     tr("The run is forgotten with its curves and with what it has learned. "
                                        "Measurements and models stay."),
                                     QMessageBox::Cancel, &page_);
    question->setObjectName(QStringLiteral("discard-question"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = question->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("really-discard"));
    question->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QPushButton::clicked, this, [this, run] { discard(run); });
    question->open();
}

void RunDecisions::discard(RunId run) {
    if (const auto at_it = runs_.job_of(run); at_it && !is_over(at_it->state))
        return; // somebody went on with it meanwhile
    const TrainingRun* stored = runs_.run(run);
    services_.session.write(
        [run](Workspace& workspace) { return discard_run(workspace, run); },
        [this, run, name = stored == nullptr ? QString() : stored->name](const Result<void>& discarded) {
            const QString problem = discarded
                                        ? QString()
                                        : tr("%1 can’t be discarded: %2")
                                              .arg(name, QString::fromStdString(discarded.error().text()));
            Q_EMIT notice(problem, !discarded,
                          QStringLiteral("discard run %1").arg(static_cast<qint64>(run)));
        });
}

} // namespace sparsight
