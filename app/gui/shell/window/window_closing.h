// The window is to be closed while jobs run: shall they go on without it, be stopped, or shall it stay?
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

// Closing the window while work runs: it is asked what to do with it.

class WindowClosing : public QObject {
    Q_OBJECT

public:
    WindowClosing(JobService& jobs, QWidget* window);

    /// Whether the window may close now; otherwise it was asked what to do, or it closes later by itself.
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
    bool is_waiting_ = false; ///< to close as soon as no job is active
    bool may_close_ = false;
};

} // namespace sparsight
