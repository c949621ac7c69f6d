// The pages that `report` writes: of one pair of schedules, or of all failures of an evaluation.
#pragma once

#include "cli/explain_study.h"
#include "cli/failures_study.h"
#include "evaluation/failures/failure_report.h"

#include <cstddef>

namespace sparsight {

/// One page of what `explain` finds.
[[nodiscard]] Result<FailurePage> make_page(const Session& session, const ExplainRequest& request,
                                            const ProgressSink& progress, const std::stop_token& stop);

/// The summary, and a page for each of the greatest losses whose pattern the workspace has.
[[nodiscard]] Result<FailureReport> make_report(const Session& session, const FailuresRequest& request,
                                                std::size_t pages, const ProgressSink& progress,
                                                const std::stop_token& stop);

} // namespace sparsight
