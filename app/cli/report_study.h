// The pages that `report` writes: of one pair of schedules, or of all failures of an evaluation.
#pragma once

#include "cli/explain_study.h"
#include "cli/failures_study.h"
#include "evaluation/failures/failure_report.h"

#include <cstddef>

namespace sparsight {

struct PageOptions {
    std::size_t pages = 10; ///< of a report: cases that get one
    /// Whose reasons are told on a single page; empty: nobody's. Those of a report have their models.
    std::string model{};
    Seconds reasons{5}; ///< to look for them, for each page; 0: not at all
};

/// One page of what `explain` finds.
[[nodiscard]] Result<FailurePage> make_page(const Session& session, const ExplainRequest& request,
                                            const PageOptions& options, const ProgressSink& progress,
                                            const std::stop_token& stop);

/// The summary, and a page for each of the greatest losses whose pattern the workspace has.
[[nodiscard]] Result<FailureReport> make_report(const Session& session, const FailuresRequest& request,
                                                const PageOptions& options, const ProgressSink& progress,
                                                const std::stop_token& stop);

} // namespace sparsight
