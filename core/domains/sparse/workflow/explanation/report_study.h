// The model's own side of a report, which sparsight-learn finds out.
#pragma once

#include "base/quantity.h"
#include "domains/sparse/explanation/pages/failure_report.h"
#include "domains/sparse/workflow/explanation/explain_study.h"
#include "domains/sparse/workflow/explanation/failures_study.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Why the model of this name prefers the schedule of the page or the other one; looks for reasons for about
/// so long. `picture` is the PNG of the pattern, over which is drawn where the model looks. Errors: those of
/// sparsight-learn, which may be missing.
[[nodiscard]] Result<std::vector<ReportSection>>
model_sections(const WorkspaceLocation& location, const std::string& model, const ExplainRequest& request,
               Seconds budget, std::span<const std::byte> picture, const std::stop_token& stop);

// The pages that `report` writes: of one pair of schedules, or of all failures of an evaluation.

struct PageOptions {
    std::size_t pages = 10; ///< of a report: cases that get one
    /// Whose reasons are told on a single page; empty: nobody's. Those of a report have their models.
    std::string model{};
    Seconds reasons{5};       ///< to look for them, for each page; 0: not at all
    std::string created_by{}; ///< the program and its version
    /// The command that gives a report again; pages have page_command().
    std::function<std::string(const FailuresAnswer& answer)> report_command{};
};

/// One page of what `explain` finds.
[[nodiscard]] Result<FailurePage> make_page(const WorkspaceLocation& location, const ExplainRequest& request,
                                            const PageOptions& options, Observer& observer,
                                            const std::stop_token& stop);

/// The summary, and a page for each of the greatest losses whose pattern the workspace has.
[[nodiscard]] Result<FailureReport> make_report(const WorkspaceLocation& location,
                                                const SparseFailuresRequest& request,
                                                const PageOptions& options, Observer& observer,
                                                const std::stop_token& stop);

} // namespace sparsight
