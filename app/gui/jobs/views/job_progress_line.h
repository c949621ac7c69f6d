// The progress of a job: a bar, and a line with the bar and buttons to pause and stop the job.
#pragma once

#include "gui/jobs/job.h"

#include <QWidget>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace sparsight {

class JobService;
struct JobProgress;

class JobProgressLine : public QWidget {
    Q_OBJECT

public:
    explicit JobProgressLine(JobService& jobs, QWidget* parent = nullptr);

    /// Hides itself without a job.
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

/// The bar moves to and fro while the total is unknown.
void show_progress(QProgressBar& bar, const JobProgress& progress);

} // namespace sparsight
