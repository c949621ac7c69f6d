#include "gui/shell/window_closing.h"

#include "gui/jobs/job_service.h"
#include "gui/shell/closing_question.h"

#include <QWidget>

namespace sparsight {

WindowClosing::WindowClosing(JobService& jobs, QWidget* window)
    : QObject(window)
    , jobs_(jobs)
    , window_(window) {
    connect(&jobs_, &JobService::job_finished, this, &WindowClosing::close_when_idle);
}

bool WindowClosing::may_close_now() {
    if (may_close_ || !jobs_.has_active_jobs())
        return true;
    is_waiting_ = false; // asked anew
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
    jobs_.hold_queue(true); // what waits begins in the next window
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
