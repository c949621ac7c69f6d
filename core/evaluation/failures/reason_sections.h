// Why a model prefers a schedule, as parts of a report.
#pragma once

#include "evaluation/failures/failure_report.h"
#include "evaluation/model_reasons/model_reasons.h"

#include <vector>

namespace sparsight {

/// A section for each part that there is something to say of; what is missing is said in the last one.
[[nodiscard]] std::vector<ReportSection> reason_sections(const ModelReasons& reasons);

} // namespace sparsight
