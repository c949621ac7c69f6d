// How far a job is, with pause and stop.
#pragma once

#include "gui/jobs/job.h"

#include <QWidget>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace sparsight {

class JobService;

class JobProgressLine : public QWidget {
    Q_OBJECT

public:
    explicit JobProgressLine(JobService& jobs, QWidget* parent = nullptr);

    /// Without a job it is not there.
    void show_job(const std::optional<Job>& job);

private:
    void pause_or_resume();
    [[nodiscard]] QString text_of(const Job& job) const;

    JobService& jobs_;
    JobId job_;
    QProgressBar* progress_;
    QLabel* text_;
    QPushButton* pause_;
    QPushButton* stop_;
};

// How far a job is, on a bar.

struct JobProgress;

/// Moves to and fro while it is not known how much there is.
void show_progress(QProgressBar& bar, const JobProgress& progress);

} // namespace sparsight
