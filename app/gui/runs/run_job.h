// A stored training run as the job that made it, so that it can go on or be ended.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/runs/stored_runs.h"

namespace sparsight {

/// With every setting of the run: the trainer knows its run by them.
[[nodiscard]] TrainJob job_of_run(const QString& workspace, const TrainingRun& run);
/// The same command again, which goes on where the run stands; of a fine-tuning, too.
[[nodiscard]] JobDescription going_on_job(const QString& workspace, const TrainingRun& run);
/// Makes a model of the best weights of a run that was stopped.
[[nodiscard]] JobDescription keeping_job(const QString& workspace, const TrainingRun& run);

} // namespace sparsight
