// A collection report as text for a terminal, as CSV and as one self-contained HTML page.
#pragma once

#include "evaluation/collection_report.h"
#include "evaluation/model_evaluation.h"

#include <string>

namespace sparsight {

/// matrix, fixed CSR ms, best ms, speedup, best schedule: aligned columns, one line a matrix.
[[nodiscard]] std::string report_table(const CollectionReport& report);

/// One line a matrix (RFC 4180), the columns of the table first, then sizes, spreads and counts.
[[nodiscard]] std::string report_csv(const CollectionReport& report);

/// Needs nothing from outside: pictures and style are inside. Readable on paper and in dark mode.
/// Where models were evaluated on what was collected, their results stand behind the summary.
[[nodiscard]] std::string report_html(const CollectionReport& report,
                                      const ModelEvaluation* evaluation = nullptr);

} // namespace sparsight
