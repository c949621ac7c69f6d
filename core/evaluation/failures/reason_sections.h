// Why a model prefers a schedule, as parts of a report.
#pragma once

#include "evaluation/failures/failure_report.h"
#include "evaluation/model_reasons/model_reasons.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

/// A section for each part that there is something to say of; what is missing is said in the last one.
/// `picture` is the PNG of the whole pattern (report_picture.h), on which it is drawn where the model looks;
/// without one it is drawn on an empty square.
[[nodiscard]] std::vector<ReportSection> reason_sections(const ModelReasons& reasons,
                                                         std::span<const std::byte> picture = {});

} // namespace sparsight
