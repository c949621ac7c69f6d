// Actions on a stored training run: jobs that resume it or keep its best weights as a model, and discarding
// it for good while no process works at it.
#pragma once

#include "base/error.h"
#include "gui/jobs/job_request.h"
#include "gui/runs/stored_learning.h"
#include "store/runs.h"

namespace sparsight {

class Workspace;

/// The job that made the run, with every setting: the trainer recognises its run by the settings.
[[nodiscard]] TrainJob job_of_run(const QString& workspace, const TrainingRun& run);
/// The same command again, which resumes the run; also for a fine-tuning.
[[nodiscard]] JobDescription going_on_job(const QString& workspace, const TrainingRun& run);
/// Makes a model of the best weights of a stopped run.
[[nodiscard]] JobDescription keeping_job(const QString& workspace, const TrainingRun& run);

/// Removes the run with its metrics. Error: a living process, whoever started it, works at the run; it would
/// continue for hours, and its result would belong to no run.
[[nodiscard]] Result<void> discard_run(Workspace& workspace, RunId run);

} // namespace sparsight
