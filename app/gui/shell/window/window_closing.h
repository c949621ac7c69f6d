// Closing the window while jobs run: the user chooses whether the jobs continue without it, are stopped, or
// the window stays open.
#pragma once

#include <QMessageBox>
#include <QObject>

class QWidget;

namespace sparsight {

class JobService;

class ClosingQuestion : public QMessageBox {
    Q_OBJECT

public:
    explicit ClosingQuestion(const JobService& jobs, QWidget* window);

Q_SIGNALS:
    void keep_running();
    void stop_jobs();
};

class WindowClosing : public QObject {
    Q_OBJECT

public:
    WindowClosing(JobService& jobs, QWidget* window);

    /// Whether the window may close now; otherwise the user is asked, or the window closes later by itself.
    [[nodiscard]] bool may_close_now();

Q_SIGNALS:
    void notice(const QString& text, bool is_problem);

private:
    void ask();
    void stop_jobs();
    void close_when_idle();
    void close();

    JobService& jobs_;
    QWidget* window_;
    bool is_waiting_ = false; ///< the window closes as soon as no job is active
    bool may_close_ = false;
};

} // namespace sparsight
