// The start of a job that the user asks for: how long it will take stands beside the button, and what takes
// long is asked about first.
#pragma once

#include "gui/jobs/job_estimate.h"

#include <QLabel>
#include <expected>
#include <functional>
#include <optional>

namespace sparsight {

class JobService;

/// One line beside or below a button; hidden where there is nothing to say.
class JobEstimateLabel : public QLabel {
    Q_OBJECT

public:
    explicit JobEstimateLabel(const JobService& jobs, QWidget* parent = nullptr);

    /// Nothing where the job can't be started now.
    void show_estimate(const std::optional<JobDescription>& job);

private:
    const JobService& jobs_;
};

/// Tells how the start went; it is not called where the user decides against it.
using WhenStarted = std::function<void(const std::expected<JobId, QString>& job)>;

/// Starts the job at once, or when the user has agreed. `expected`: an estimate that knows more than
/// estimate_of().
void start_job(QWidget& asker, JobService& jobs, const JobRequest& request, const WhenStarted& when_started,
               std::optional<JobEstimate> expected = {});

} // namespace sparsight
