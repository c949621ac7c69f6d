// What learning from failures asks of the worker.
#pragma once

#include "gui/failures/tuning_state.h"
#include "gui/jobs/job_request.h"

namespace sparsight {

class CaseStudy;

/// The schedules of a case that teach most: both sides, what lies between them, and what would win. The study
/// has a subject.
[[nodiscard]] CollectJob measuring_request(const CaseStudy& study, const QString& workspace);

/// What is fast there is searched for by measuring. A path from one schedule to the other alone tells a model
/// little of a matrix: of 13 failures on the other matrices of a family 9 stayed after five matrices were
/// added without a search, of 12 two after the same five were searched.
[[nodiscard]] CollectJob searching_request(const CaseStudy& study, const QString& workspace);

/// Both models on what neither has learned from, and on what the tuned one was to learn from.
[[nodiscard]] EvaluateJob comparison_request(const TuningState& state);

} // namespace sparsight
