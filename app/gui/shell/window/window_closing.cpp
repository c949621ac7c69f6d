#include "gui/shell/window/window_closing.h"

#include "gui/jobs/job_service.h"

#include <QAbstractButton>
#include <QPushButton>
#include <QWidget>

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
        tr("It does not need this window: it can keep running, and the window finds it when it is opened "
           "again. When it is stopped, what was measured stays. Measuring the same again continues "
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

WindowClosing::WindowClosing(JobService& jobs, QWidget* window)
    : QObject(window)
    , jobs_(jobs)
    , window_(window) {
    connect(&jobs_, &JobService::job_finished, this, &WindowClosing::close_when_idle);
}

bool WindowClosing::may_close_now() {
    if (may_close_ || !jobs_.has_active_jobs())
        return true;
    is_waiting_ = false; // the user is asked again
    jobs_.hold_queue(false);
    ask();
    return false;
}

void WindowClosing::ask() {
    auto* question = new ClosingQuestion(jobs_, window_);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &ClosingQuestion::keep_running, this, &WindowClosing::close);
    connect(question, &ClosingQuestion::stop_jobs, this, &WindowClosing::stop_jobs);
    question->open();
}

void WindowClosing::stop_jobs() {
    Q_EMIT notice(tr("Closing as soon as the measurement in flight is finished…"), false);
    jobs_.hold_queue(true); // waiting jobs start in the next window
    for (const Job& job : jobs_.jobs())
        if (is_active(job.state))
            jobs_.stop(job.id);
    is_waiting_ = true;
    close_when_idle();
}

void WindowClosing::close_when_idle() {
    if (is_waiting_ && !jobs_.has_active_jobs())
        close();
}

void WindowClosing::close() {
    may_close_ = true;
    window_->close();
}

} // namespace sparsight
