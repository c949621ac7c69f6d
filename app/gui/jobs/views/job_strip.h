// The bar at the bottom of the window: the job that runs, how far it is, what can be done with it; for some
// seconds, what became of it. A click opens the list of all jobs.
#pragma once

#include "gui/jobs/job.h"

#include <QTimer>
#include <QWidget>
#include <chrono>
#include <vector>

class QFrame;
class QLabel;
class QProgressBar;
class QToolButton;

namespace sparsight {

class JobList;
class JobService;

/// The one job that the strip has room for: one that runs (a measurement first), else a paused one, else the
/// first that waits. Of several, one of the open workspace. `jobs` as JobService has them.
[[nodiscard]] std::optional<Job> foremost_job(const std::vector<Job>& jobs, const QString& workspace = {});

class JobStrip : public QWidget {
    Q_OBJECT

public:
    explicit JobStrip(JobService& service, QWidget* parent = nullptr,
                      std::chrono::milliseconds notice_time = std::chrono::seconds(8));

    /// Before the buttons, which stay where they are: what it tells of the job gives way. Failures are told
    /// of there from now on, not twice.
    void add_messages(QWidget* messages);
    /// The open one: its jobs come first, and of the others the workspace is named.
    void set_workspace(const QString& path);
    void open_list();
    [[nodiscard]] bool list_is_open() const;
    [[nodiscard]] JobList& list() const { return *list_; }

    // What it shows, for tests and for whoever reads a screen aloud.
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString status() const;
    [[nodiscard]] QString others() const; ///< "2 waiting"
    [[nodiscard]] QProgressBar& bar() const { return *bar_; }
    [[nodiscard]] QToolButton& pause_button() const { return *pause_; }
    [[nodiscard]] QToolButton& stop_button() const { return *stop_; }
    [[nodiscard]] QToolButton& list_button() const { return *list_button_; }

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit_bar();
    void refresh();
    void show_title(const Job& job);
    void show_job(const Job& job);
    void show_end(const Job& job);
    void show_nothing();
    void show_others(const std::vector<Job>& jobs, const JobId& shown);
    void set_buttons(const std::optional<Job>& job);
    void take_end(const JobId& id);
    void pause_or_resume();

    JobService& service_;
    QLabel* title_;
    QLabel* status_;
    QProgressBar* bar_;
    QToolButton* pause_;
    QToolButton* stop_;
    QToolButton* list_button_;
    QFrame* popup_;
    JobList* list_;
    bool has_messages_ = false;
    QString workspace_;
    JobId shown_;
    JobId ended_;       ///< that is told about still; null: none
    QTimer notice_end_; ///< a failure stays until somebody looks
};

} // namespace sparsight
