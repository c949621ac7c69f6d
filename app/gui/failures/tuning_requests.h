// What learning from failures asks of the worker.
#pragma once

#include "gui/failures/tuning_state.h"
#include "gui/jobs/job_request.h"

namespace sparsight {

class CaseStudy;

/// The schedules of a case that teach most: both sides, what lies between them, and what would win. The study
/// has a subject.
[[nodiscard]] CollectJob measuring_request(const CaseStudy& study, const QString& workspace);

/// Both models on what neither has learned from.
[[nodiscard]] EvaluateJob comparison_request(const TuningState& state);

} // namespace sparsight
