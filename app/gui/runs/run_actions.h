// A stored training run as the job that made it, so that it can go on or be ended.
#pragma once

#include "base/error.h"
#include "gui/jobs/job_request.h"
#include "gui/runs/stored_learning.h"
#include "store/runs.h"

namespace sparsight {

/// With every setting of the run: the trainer knows its run by them.
[[nodiscard]] TrainJob job_of_run(const QString& workspace, const TrainingRun& run);
/// The same command again, which goes on where the run stands; of a fine-tuning, too.
[[nodiscard]] JobDescription going_on_job(const QString& workspace, const TrainingRun& run);
/// Makes a model of the best weights of a run that was stopped.
[[nodiscard]] JobDescription keeping_job(const QString& workspace, const TrainingRun& run);

// Forgetting a run for good, while nobody works at it.

class Workspace;

/// With its metrics. An error where a process that lives, whoever started it, works at it: it would go on for
/// hours, and what it learns would belong to nothing.
[[nodiscard]] Result<void> discard_run(Workspace& workspace, RunId run);

} // namespace sparsight
