// The list of all jobs with buttons for the chosen job, and the window that shows a job's log.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/views/job_rows.h"

#include <QDialog>
#include <QTimer>
#include <QWidget>
#include <map>

class QLabel;
class QListView;
class QPlainTextEdit;
class QPushButton;

namespace sparsight {

class JobLog;
class JobService;

class JobList : public QWidget {
    Q_OBJECT

public:
    explicit JobList(JobService& service, QWidget* parent = nullptr);

    /// The open one: its jobs come first.
    void set_workspace(const QString& path);
    /// For an id that is not in the list, chooses the running job, otherwise the newest.
    void choose(const JobId& id);
    [[nodiscard]] std::optional<Job> chosen() const;
    [[nodiscard]] QListView& view() const { return *view_; }
    [[nodiscard]] QPushButton& button(JobAction action) const { return *buttons_.at(action); }
    [[nodiscard]] QPushButton& earlier_button() const { return *earlier_; }
    [[nodiscard]] QPushButton& later_button() const { return *later_; }
    [[nodiscard]] QPushButton& log_button() const { return *log_; }

Q_SIGNALS:
    /// A log has opened in its own window; a popup around this list should close.
    void log_opened(JobLog* log);

private:
    void act(JobAction action);
    void move(int by);
    void open_log();
    void refresh();
    [[nodiscard]] std::vector<JobId> waiting() const;

    JobService& service_;
    JobModel model_;
    QListView* view_;
    QLabel* detail_;
    std::map<JobAction, QPushButton*> buttons_;
    QPushButton* earlier_;
    QPushButton* later_;
    QPushButton* log_;
};

/// The growing log of one job: its worker's events and messages.
class JobLog : public QDialog {
    Q_OBJECT

public:
    JobLog(const JobService& service, const JobId& id, QWidget* parent = nullptr);

    [[nodiscard]] QString messages() const;
    [[nodiscard]] QString events() const;

private:
    void refresh();

    const JobService& service_;
    JobId id_;
    QPlainTextEdit* messages_;
    QPlainTextEdit* events_;
    QTimer pause_; ///< limits reading the log from the disk to twice a second
};

} // namespace sparsight
