// All jobs, with what can be done with the chosen one.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_rows.h"

#include <QDialog>
#include <QTimer>
#include <QWidget>
#include <map>

class QLabel;
class QListView;
class QPushButton;
class QPlainTextEdit;

namespace sparsight {

class JobLog;
class JobService;

class JobList : public QWidget {
    Q_OBJECT

public:
    explicit JobList(JobService& service, QWidget* parent = nullptr);

    /// One that is not there, or none: what runs, or else the newest.
    void choose(const JobId& id);
    [[nodiscard]] std::optional<Job> chosen() const;
    [[nodiscard]] QListView& view() const { return *view_; }
    [[nodiscard]] QPushButton& button(JobAction action) const { return *buttons_.at(action); }
    [[nodiscard]] QPushButton& earlier_button() const { return *earlier_; }
    [[nodiscard]] QPushButton& later_button() const { return *later_; }
    [[nodiscard]] QPushButton& log_button() const { return *log_; }

Q_SIGNALS:
    /// A log opens in a window of its own; a popup around this list should close.
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

// What one job's worker told and wrote, as it grows.

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
    QTimer pause_; ///< a log is read from the disk twice a second at most
};

} // namespace sparsight
