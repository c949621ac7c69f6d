// The model's own side of a report, which sparsight-learn finds out.
#pragma once

#include "base/quantity.h"
#include "cli/explain_study.h"
#include "evaluation/failures/failure_report.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Why the model of this name prefers the schedule of the page or the other one; looks for reasons for about
/// so long. `picture` is the PNG of the pattern, over which is drawn where the model looks. Errors: those of
/// sparsight-learn, which may be missing.
[[nodiscard]] Result<std::vector<ReportSection>>
model_sections(const Session& session, const std::string& model, const ExplainRequest& request,
               Seconds budget, std::span<const std::byte> picture, const std::stop_token& stop);

} // namespace sparsight
