#include "gui/shell/closing_question.h"

#include "gui/jobs/job_service.h"

#include <QAbstractButton>
#include <QPushButton>

namespace sparsight {

ClosingQuestion::ClosingQuestion(const JobService& jobs, QWidget* window)
    : QMessageBox(window) {
    QStringList titles;
    bool waits = false;
    for (const Job& job : jobs.jobs()) {
        if (is_active(job.state))
            titles << job.title;
        waits = waits || job.state == JobState::Waiting;
    }
    setIcon(QMessageBox::Question);
    setWindowTitle(tr("Close the window?"));
    setText(tr("Work is running: %1.").arg(titles.join(QStringLiteral(", "))));
    setInformativeText(
        tr("It does not need this window: it can go on, and the window finds it when it is opened "
           "again. When it is stopped, what was measured stays, and measuring the same again goes on "
           "from there.") +
        (waits ? u' ' + tr("Jobs that have not begun wait until the window is opened again.") : QString()));
    auto* keep = addButton(tr("&Keep running"), QMessageBox::AcceptRole);
    auto* stop = addButton(tr("&Stop and close"), QMessageBox::DestructiveRole);
    auto* stay = addButton(tr("S&tay"), QMessageBox::RejectRole);
    keep->setObjectName(QStringLiteral("keep-running"));
    stop->setObjectName(QStringLiteral("stop-and-close"));
    stay->setObjectName(QStringLiteral("stay"));
    setDefaultButton(keep);
    setEscapeButton(stay);
    connect(this, &QMessageBox::buttonClicked, this, [this, keep, stop](const QAbstractButton* clicked) {
        if (clicked == keep)
            Q_EMIT keep_running();
        else if (clicked == stop)
            Q_EMIT stop_jobs();
    });
}

} // namespace sparsight
